/**
 * Replaces comments, and optionally strings, by spaces, so that lines and columns stay the same. This is not
 * a parser: `${...}` in a template counts as string, and the token before a slash decides whether it begins a
 * regular expression or is a division.
 */
export function blank(text: string, strings: 'keep' | 'blank'): string {
  let result = ''
  let before = ''
  for (let index = 0; index < text.length;) {
    const [kind, end] = tokenAt(text, index, before)
    const token = text.slice(index, end)
    const hide = kind === 'comment' || (kind === 'string' && strings === 'blank')
    result += hide ? hideToken(token, kind) : token
    if (kind !== 'comment' && token.trim() !== '')
      before = kind === 'code' ? before.slice(-12) + token : `${token.at(-1)}`
    index = end
  }
  return result
}

/** Quotes remain, so that patterns can match around strings. */
function hideToken(token: string, kind: Kind): string {
  const blanked = token.replaceAll(/[^\n]/g, ' ')
  return kind === 'string' ? token[0] + blanked.slice(1, -1) + token.at(-1) : blanked
}

type Kind = 'comment' | 'string' | 'code'

function tokenAt(text: string, at: number, before: string): [Kind, number] {
  const two = text.slice(at, at + 2)
  if (two === '//') return ['comment', orEnd(text.indexOf('\n', at), text)]
  if (two === '/*') return ['comment', orEnd(text.indexOf('*/', at + 2), text, 2)]
  const one = text[at] ?? ''
  if (one === "'" || one === '"')
    return startsString(text, at) ? ['string', endOfQuoted(text, at, one)] : ['code', at + 1]
  if (one === '`') return ['string', endOfQuoted(text, at, one)]
  if (one === '/' && /(?:^|[(,=:[!&|?{};>]|\breturn|\btypeof|\bcase)$/.test(before))
    return ['string', endOfRegExp(text, at)]
  return ['code', at + 1]
}

/** An apostrophe in JSX text has no matching quote on its line. */
function startsString(text: string, at: number): boolean {
  return endOfQuoted(text, at, text[at] ?? '') <= orEnd(text.indexOf('\n', at), text)
}

function endOfQuoted(text: string, at: number, quote: string): number {
  for (let end = at + 1; end < text.length; end += 1) {
    if (text[end] === '\\') end += 1
    else if (text[end] === quote) return end + 1
  }
  return text.length + 1
}

function endOfRegExp(text: string, at: number): number {
  let inClass = false
  for (let end = at + 1; end < text.length; end += 1) {
    const one = text[end]
    if (one === '\n') return at + 1
    if (one === '\\') end += 1
    else if (one === '[') inClass = true
    else if (one === ']') inClass = false
    else if (one === '/' && !inClass) return end + 1
  }
  return text.length
}

function orEnd(index: number, text: string, extra = 0): number {
  return index === -1 ? text.length : index + extra
}
