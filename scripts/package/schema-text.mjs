// JSON schemas as TypeScript would write them, for people who read.

/** Deeper parts are only named: they stand in /v1/openapi.json. */
const DEPTH_MAX = 2;
const COLUMNS_MAX = 110;

export function typeText(schema, depth = 0) {
  if (schema === undefined || typeof schema === "boolean") return "unknown";
  if (schema.prefixItems) return `[${schema.prefixItems.map((one) => typeText(one, depth)).join(", ")}]`;
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map((one) => typeText(one, depth)))].join(" | ");
  if (Array.isArray(schema.type)) return schema.type.join(" | ");
  switch (schema.type) {
    case "integer":
      return "number";
    case "array":
      return listText(typeText(schema.items, depth));
    case "object":
      return objectText(schema, depth);
    default:
      return schema.type ?? "unknown";
  }
}

const listText = (item) => (/[|{]/.test(item) && !/^\{[^{}]*\}$/.test(item) ? `(${item})[]` : `${item}[]`);

function objectText({ properties, required = [], additionalProperties }, depth) {
  if (!properties) return `Record<string, ${typeText(additionalProperties || undefined, depth)}>`;
  if (depth >= DEPTH_MAX) return "{ … }";
  const fields = Object.entries(properties).map(
    ([name, field]) => `${name}${required.includes(name) ? "" : "?"}: ${typeText(field, depth + 1)}`,
  );
  return fields.length === 0 ? "{}" : `{ ${fields.join("; ")} }`;
}

/** The fields of an object, one per line, with what they mean and what they are when nobody says. */
export function fieldLines({ properties = {}, required = [] }) {
  return Object.entries(properties).flatMap(([name, field]) => {
    const usual = field.default === undefined ? "" : `Default: ${JSON.stringify(field.default)}`;
    const said = [field.description, usual].filter(Boolean).join(". ");
    const line = `  ${name}${required.includes(name) ? "" : "?"}: ${typeText(field, 1)};`;
    return [
      ...(said ? wrapped(said, COLUMNS_MAX - 5).map((part) => `  // ${part}`) : []),
      ...wrapped(line, COLUMNS_MAX),
    ];
  });
}

/** At blanks; what follows is indented further than the first line. */
export function wrapped(text, columns) {
  const lines = [];
  let line = "";
  for (const word of text.split(/(?<=\S) /)) {
    if (line !== "" && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = `${/^ */.exec(lines[0])[0]}${text.startsWith(" ") ? "  " : ""}${word}`;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
