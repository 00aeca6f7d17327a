/** A part of an attribution: text, or a link. */
export interface AttributionPart {
  text: string
  href: string | null
}

const osmPage = 'https://www.openstreetmap.org/copyright'
const htmlEntities: Record<string, string> = {
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

/** Decodes the common named entities and all numeric ones; invalid numbers are dropped. */
const decodeEntities = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,8}));/gi,
    (entity, decimal?: string, hex?: string, name?: string) => {
      if (name) return htmlEntities[name.toLowerCase()] ?? entity
      const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16)
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
        ? String.fromCodePoint(code)
        : ''
    },
  )

/** Returns the URL of a link; null unless it is http or https, so that scripts are excluded. */
function toSafeUrl(href: string): string | null {
  const text = decodeEntities(href).trim()
  return URL.canParse(text) && ['https:', 'http:'].includes(new URL(text).protocol) ? text : null
}

/** Longer attributions are cut off. */
const maxHtmlLength = 2000

/** Parses the HTML attribution of a source into text and links; all other markup is dropped. */
export function parseAttribution(html: string): AttributionPart[] {
  const parts: AttributionPart[] = []
  let href: string | null = null
  for (const [token] of html.slice(0, maxHtmlLength).matchAll(/<[^<>]*>?|[^<]+/g)) {
    if (!token.startsWith('<')) {
      const text = decodeEntities(token).replace(/\s+/g, ' ')
      const last = parts.at(-1)
      if (last?.href === href) last.text += text
      else if (text.trim()) parts.push({ text, href })
    } else if (/^<a\s/i.test(token)) {
      const [, doubleQuoted, singleQuoted, unquoted] =
        /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/i.exec(token) ?? []
      href = toSafeUrl(doubleQuoted ?? singleQuoted ?? unquoted ?? '')
    } else if (/^<\/a\b/i.test(token)) href = null
  }
  // The license of OpenStreetMap requires a link to its copyright page; plain text gets one.
  return parts.some((part) => part.href !== null)
    ? parts
    : parts.map((part) => (/openstreetmap/i.test(part.text) ? { ...part, href: osmPage } : part))
}
