/** A piece of what must be said: text, or a link. */
export interface AttributionPart {
  text: string
  href: string | null
}

const osmPage = 'https://www.openstreetmap.org/copyright'
const named: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  copy: '©',
  middot: '·',
  mdash: '—',
  ndash: '–',
}

const decoded = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,8}));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name) return named[name.toLowerCase()] ?? whole
      const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16)
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
        ? String.fromCodePoint(code)
        : ''
    },
  )

/** Only pages of the web are linked: nothing that runs. */
function pageOf(href: string): string | null {
  const text = decoded(href).trim()
  return URL.canParse(text) && ['https:', 'http:'].includes(new URL(text).protocol) ? text : null
}

/** Characters that are read: who is to be named fits well within. */
const longest = 2000

/** Reads what a source says of those who made it, as text with links: sources write it as a page, and nothing of that page but these is taken over. */
export function readAttribution(html: string): AttributionPart[] {
  const parts: AttributionPart[] = []
  let href: string | null = null
  for (const [piece] of html.slice(0, longest).matchAll(/<[^<>]*>?|[^<]+/g)) {
    if (!piece.startsWith('<')) {
      const text = decoded(piece).replace(/\s+/g, ' ')
      const last = parts.at(-1)
      if (last?.href === href) last.text += text
      else if (text.trim()) parts.push({ text, href })
    } else if (/^<a\s/i.test(piece)) {
      const [, double, single, bare] = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/i.exec(piece) ?? []
      href = pageOf(double ?? single ?? bare ?? '')
    } else if (/^<\/a\b/i.test(piece)) href = null
  }
  // Its licence asks for a link to its page; a plain name gets one.
  return parts.some((part) => part.href !== null)
    ? parts
    : parts.map((part) => (/openstreetmap/i.test(part.text) ? { ...part, href: osmPage } : part))
}
