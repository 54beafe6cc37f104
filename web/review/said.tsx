// A comment that is not sent yet.
import type { Comment } from "./comments.ts";
import type { Review } from "./review.ts";

export function Said(props: { comment: Comment; review: Review }) {
  return (
    <div class="said">
      <p>{props.comment.text}</p>
      <button
        type="button"
        class="icon"
        aria-label="Drop this comment"
        onClick={() => props.review.uncomment(props.comment)}
      >
        ✕
      </button>
    </div>
  );
}
