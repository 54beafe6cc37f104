// Reads every string that a person or an agent may read from the sources, by the compiler's syntax tree: literals,
// templates (with their expressions in braces) and the text of the page. Leaves out names and patterns of the code.
import { relative, resolve } from "node:path";
import { SyntaxKind } from "typescript/unstable/ast";
import { API } from "typescript/unstable/sync";

/** A single word is read where it stands as one of these; elsewhere it is a name for the code. */
const READ = /^(?:title|label|aria-label|placeholder|hint|help|message|summary|description|why|note|text|alt|name)$/;
const CODE = /^(?:class|classList|id|href|src|type|role|rel|d|viewBox|style|target|for|key|pattern|rule|code|cmd)$/;
/** Programs, protocols, shell scripts and other people's output: nobody reads these as our words. */
const SILENT =
  /risk\/tables|risk\/(?:environment|find)\.ts|host\/engine|shell\/guard|tests\/output|input\/key-|journal\/|box\/(?:arguments|bridge|seatbelt|secrets)/;

/** `{file, line, text}` of everything in the files below `folder`. */
export function wordsIn(projects, folder = "") {
  const api = new API();
  try {
    const files = new Map();
    for (const config of projects.map((one) => resolve(one))) {
      const { program } = api.updateSnapshot({ openProject: config }).getProject(config);
      for (const path of program.getSourceFileNames()) {
        const file = relative(".", path);
        if (!/^(?:src|web)\//.test(file) || !file.startsWith(folder) || SILENT.test(file) || files.has(file)) continue;
        files.set(file, wordsOf(file, program.getSourceFile(path)));
      }
    }
    return [...files.values()].flat();
  } finally {
    api.close();
  }
}

function wordsOf(file, source) {
  const starts = [0, ...[...source.text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return [...textsIn(source)].map(({ node, text }) => {
    const at = node.getStart();
    const line = starts.findLastIndex((start) => start <= at) + 1;
    return { file, line, text: text.replace(/[\s\x00-\x1f]+/g, " ").trim() };
  });
}

/** Literals in a sum are one text. */
function* textsIn(node) {
  const text = textOf(node);
  if (text !== undefined) {
    if (isRead(node, text)) yield { node, text };
    for (const span of node.templateSpans ?? []) yield* textsIn(span.expression);
    return;
  }
  const found = [];
  node.forEachChild((child) => void found.push(...textsIn(child)));
  yield* found;
}

/** Undefined for what is no text. */
function textOf(node) {
  switch (node.kind) {
    case SyntaxKind.StringLiteral:
    case SyntaxKind.NoSubstitutionTemplateLiteral:
    case SyntaxKind.JsxText:
      return node.text;
    case SyntaxKind.TemplateExpression:
      return node.templateSpans.reduce(
        (text, { expression, literal }) => text + hole(expression) + literal.text,
        node.head.text,
      );
    case SyntaxKind.BinaryExpression: {
      if (node.operatorToken.kind !== SyntaxKind.PlusToken) return undefined;
      const [left, right] = [textOf(node.left), textOf(node.right)];
      return left === undefined || right === undefined ? undefined : left + right;
    }
    default:
      return undefined;
  }
}

function hole(expression) {
  const text = expression.getText().replace(/\s+/g, " ");
  return text.length > 30 ? "{…}" : `{${text}}`;
}

const nameOf = ({ name }) => name?.text ?? name?.escapedText ?? "";

function isRead(node, text) {
  if (!/\p{L}{2}/u.test(text.replace(/\{[^}]*\}/g, ""))) return false;
  const { parent } = node;
  switch (parent.kind) {
    case SyntaxKind.ImportDeclaration:
    case SyntaxKind.ExportDeclaration:
    case SyntaxKind.LiteralType:
    case SyntaxKind.CaseClause:
    case SyntaxKind.ElementAccessExpression:
      return false;
    case SyntaxKind.BinaryExpression:
      return !/^(?:[!=]==|in)$/.test(parent.operatorToken.getText()) && isPhrase(text);
    case SyntaxKind.PropertyAccessExpression:
      return false;
    case SyntaxKind.PropertyAssignment:
    case SyntaxKind.JsxAttribute:
      if (parent.name === node || CODE.test(nameOf(parent))) return false;
      return isPhrase(text) || READ.test(nameOf(parent));
    default:
      return node.kind === SyntaxKind.JsxText || isPhrase(text);
  }
}

/** Two words, or one that begins as a sentence does. */
function isPhrase(text) {
  return /[\p{L}…’'",.:;)}?!›]\s+[\p{L}“"'({‹]/u.test(text.trim()) || /^\s*\p{Lu}\p{Ll}+[.…]?\s*$/u.test(text);
}
