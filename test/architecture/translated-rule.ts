import type { Rule } from './rule.ts'
import { isTest, type SourceFile } from './source-file.ts'

/** The strings in a source text, with `{0}`, `{1}` for the values of a template. */
function listStrings(source: string): string[] {
  const found: string[] = []
  let at = 0
  const skipTo = (end: string): void => {
    const next = source.indexOf(end, at)
    at = next < 0 ? source.length : next + end.length
  }
  /** Reads code up to the closing brace. */
  const code = (): void => {
    for (let depth = 0; at < source.length;) {
      const char = source[at++]!
      if (char === '{') depth++
      else if (char === '}' && depth-- === 0) return
      else if (char === "'" || char === '"' || char === '`') found.push(text(char))
      else if (char === '/' && source[at] === '/') skipTo('\n')
      else if (char === '/' && source[at] === '*') skipTo('*/')
      else if (char === '/' && /[(,=:[!&|?{};\n]\s*$/.test(source.slice(Math.max(0, at - 20), at - 1)))
        regex()
    }
  }
  const regex = (): void => {
    for (let isClass = false; at < source.length;) {
      const char = source[at++]!
      if (char === '\\') at++
      else if (char === '[') isClass = true
      else if (char === ']') isClass = false
      else if ((char === '/' && !isClass) || char === '\n') return
    }
  }
  const text = (quote: string): string => {
    let read = ''
    let values = 0
    while (at < source.length) {
      const char = source[at++]!
      if (char === quote) break
      if (char === '\\') {
        const escaped = source[at++]!
        read += { n: '\n', t: '\t' }[escaped] ?? escaped
      } else if (quote === '`' && char === '$' && source[at] === '{') {
        at++
        code()
        read += `{${values++}}`
      } else read += char
    }
    return read
  }
  code()
  return found
}

/** Whether a text begins with a capital or a value, has several words and ends like a sentence. */
const isSentence = (text: string): boolean =>
  /^(?:\p{Lu}|\{0\}|“|\d)/u.test(text) &&
  /\p{Ll}+ \S/u.test(text) &&
  /[.?]$/.test(text) &&
  !text.includes('\n')

/**
 * Files with errors that no screen shows (errors for programs and operators, at the start of a server), with
 * texts in both languages, or with reasons for rows of files, which screens translate by code.
 */
const unseen = [
  /^contract\/(?:curb-imports|export-tables|health-figures|incident-rules|metrics)\.ts$/,
  /^server\/(?:health\/rows|operations|stores\/migrations|curb\/imports\/(?:checks|formats))\//,
  /^server\/http\/(?:serve-metrics|web-app)\.ts$/,
  /^server\/metrics\//,
  /^server\/curb\/(?:occupancy\/imports\/\w+-layout|sessions\/read-sensor-states)\.ts$/,
  /^server\/identity\/sso\/find-provider\.ts$/,
]

/** Sentences in files that refuse or validate calls. Screens may show them as details of errors. */
const hasDetails = ({ path, text }: SourceFile): boolean =>
  /^(?:server|contract)\/.+\.ts$/.test(path) &&
  !isTest(path) &&
  !unseen.some((each) => each.test(path)) &&
  (path.startsWith('contract/') || /\bnew (?:Problem|Busy)\(|\brefuse\w*\(|\bproblemBody\(/.test(text))

const catalog = 'web/i18n/server-texts.spanish.json'

export const translatedRule: Rule = {
  number: 'texts',
  text: `details of errors are translated in ${catalog}`,
  check(files) {
    const translations = files.find(({ path }) => path === catalog)?.text ?? '{}'
    const known = JSON.parse(translations) as Record<string, string>
    return files.filter(hasDetails).flatMap(({ path, text }) =>
      listStrings(text)
        .filter((each) => isSentence(each) && !(each in known))
        .map((string) => ({ path, line: 1, text: string })),
    )
  },
}
