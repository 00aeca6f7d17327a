interface Pattern {
  expression: RegExp
  text: string
}

/** English sentences of the server and their translation, with `{0}`, `{1}` for values. */
export type ServerTexts = Readonly<Record<string, string>>

let exact: ServerTexts = {}
let patterns: readonly Pattern[] = []

const patternOf = ([english, text]: [string, string]): Pattern => ({
  expression: new RegExp(
    `^${english.replaceAll(/[.*+?^$()|[\]\\]|[{}](?!\d)(?<!\d\})/g, '\\$&').replaceAll(/\{\d\}/g, '(.+?)')}$`,
    's',
  ),
  text,
})

/** Sets the translations; none for English. The longest pattern that fits is used. */
export function setServerTexts(texts: ServerTexts): void {
  exact = texts
  patterns = Object.entries(texts)
    .filter(([english]) => /\{\d\}/.test(english))
    .toSorted(([a], [b]) => b.length - a.length)
    .map(patternOf)
}

const fieldOfIssue = /^([a-z]\w*(?:\.\w+)*): (.+)$/is
const nextIssue = /; (?=[a-z]\w*(?:\.\w+)*: )/

/**
 * A text of the server in the language of the screens: details of errors, notes and problems, which the API has in
 * English. Values may be such texts themselves, a detail may name its field, or list several. Unknown texts are
 * returned as they are.
 */
export function serverText(text: string): string {
  const known = exact[text]
  if (known !== undefined) return known
  const issues = text.split(nextIssue)
  if (issues.length > 1) return issues.map(serverText).join('; ')
  for (const pattern of patterns) {
    const values = pattern.expression.exec(text)
    if (values)
      return pattern.text.replaceAll(/\{(\d)\}/g, (_, at) => serverText(values[Number(at) + 1] ?? ''))
  }
  const [, field, message] = fieldOfIssue.exec(text) ?? []
  if (field && message) return `${field}: ${serverText(message)}`
  return text
}
