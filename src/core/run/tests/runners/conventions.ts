// Where tests usually are, by language. Pure: names only; others check whether the files exist.
import { baseOf, dirOf, join, stemOf } from "../paths.ts";

export const jsIsTest = (path: string): boolean =>
  /(?:\.|-|_)(?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)__tests__\/.*\.[cm]?[jt]sx?$/.test(path);
export const pyIsTest = (path: string): boolean => /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests)\.py$/.test(path);
export const rubyIsTest = (path: string): boolean => /_(?:spec|test)\.rb$/.test(path);
export const phpIsTest = (path: string): boolean => /Test\.php$/.test(path);
export const jvmIsTest = (path: string): boolean => /(?:Tests?|IT|Spec)\.(?:java|kt|groovy|scala)$/.test(path);
export const elixirIsTest = (path: string): boolean => /_test\.exs$/.test(path);

const JS_ENDINGS = ["ts", "tsx", "js", "jsx", "mts", "mjs", "cts", "cjs"];

export function jsTestsOf(path: string): readonly string[] {
  const dir = dirOf(path);
  const stem = stemOf(path);
  const inner = dir.replace(/^(?:src|lib|app)(?:\/|$)/, "");
  const places = [
    dir,
    join(dir, "__tests__"),
    ...["test", "tests"].flatMap((top) => [join(top, dir), join(top, inner), top]),
  ];
  return places.flatMap((place) =>
    JS_ENDINGS.flatMap((ending) =>
      [`${stem}.test.${ending}`, `${stem}.spec.${ending}`].map((name) => join(place, name)),
    ),
  );
}

export function pyTestsOf(path: string): readonly string[] {
  const dir = dirOf(path);
  const inner = dir
    .split("/")
    .slice(dir.startsWith("src/") ? 2 : 1)
    .join("/");
  const places = [dir, join(dir, "tests"), join("tests", dir), join("tests", inner), "tests", "tests/unit", "test"];
  return places.flatMap((place) => [join(place, `test_${stemOf(path)}.py`), join(place, `${stemOf(path)}_test.py`)]);
}

export function rubyTestsOf(path: string): readonly string[] {
  const inner = path.replace(/^(?:lib|app)\//, "").replace(/\.rb$/, "");
  return [`spec/${inner}_spec.rb`, `spec/lib/${inner}_spec.rb`, `test/${inner}_test.rb`, `test/lib/${inner}_test.rb`];
}

export function phpTestsOf(path: string): readonly string[] {
  const inner = path.replace(/^(?:src|app|lib)\//, "").replace(/\.php$/, "");
  return ["tests", "tests/Unit", "tests/Feature"].map((top) => `${top}/${inner}Test.php`);
}

export function jvmTestsOf(path: string): readonly string[] {
  const inner = path.replace("/main/", "/test/").replace(/^main\//, "test/");
  const stem = join(dirOf(inner), stemOf(inner));
  const ending = baseOf(path).slice(stemOf(path).length);
  return inner === path ? [] : [`${stem}Test${ending}`, `${stem}Tests${ending}`];
}

export function elixirTestsOf(path: string): readonly string[] {
  return [path.replace(/^lib\//, "test/").replace(/\.ex$/, "_test.exs")];
}
