interface Pattern {
  expression: RegExp
  text: string
}

/** Translations of English sentences of the server, with `{0}`, `{1}` for values. */
export type ServerTexts = Readonly<Record<string, string>>

let exactTranslations: ServerTexts = {}
let patterns: readonly Pattern[] = []

const toPattern = ([english, text]: [string, string]): Pattern => ({
  expression: new RegExp(
    `^${english.replaceAll(/[.*+?^$()|[\]\\]|[{}](?!\d)(?<!\d\})/g, '\\$&').replaceAll(/\{\d\}/g, '(.+?)')}$`,
    's',
  ),
  text,
})

/** Sets the translations; none for English. Longer patterns have precedence. */
export function setServerTexts(texts: ServerTexts): void {
  exactTranslations = texts
  patterns = Object.entries(texts)
    .filter(([english]) => /\{\d\}/.test(english))
    .toSorted(([a], [b]) => b.length - a.length)
    .map(toPattern)
}

const fieldOfIssue = /^([a-z]\w*(?:\.\w+)*): (.+)$/is
const nextIssue = /; (?=[a-z]\w*(?:\.\w+)*: )/

/**
 * Translates a text of the server, such as an error, to the language of the user; the API returns English
 * texts. Values may be translatable themselves, and a text may start with a field name or list several
 * issues. Unknown texts are returned unchanged.
 */
export function translateServerText(text: string): string {
  const translation = exactTranslations[text]
  if (translation !== undefined) return translation
  const issues = text.split(nextIssue)
  if (issues.length > 1) return issues.map(translateServerText).join('; ')
  for (const pattern of patterns) {
    const values = pattern.expression.exec(text)
    if (values)
      return pattern.text.replaceAll(/\{(\d)\}/g, (_, index) =>
        translateServerText(values[Number(index) + 1] ?? ''),
      )
  }
  const [, field, message] = fieldOfIssue.exec(text) ?? []
  if (field && message) return `${field}: ${translateServerText(message)}`
  return text
}
