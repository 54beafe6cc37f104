// How links to images begin. A file of its own, because a page needs it before it has seen any image.
export const IMAGE_SCHEME = "duetty-image:";
