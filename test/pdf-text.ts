// Reads the text of PDFs that pdfkit wrote: decompresses streams and looks up glyphs.
import { inflateSync } from 'node:zlib'

function readStreams(pdf: Buffer): string[] {
  const texts: string[] = []
  for (let at = pdf.indexOf('stream\n'); at >= 0; at = pdf.indexOf('stream\n', at + 1)) {
    const end = pdf.indexOf('endstream', at)
    try {
      texts.push(inflateSync(pdf.subarray(at + 7, end)).toString('latin1'))
    } catch {
      // Not a compressed stream.
    }
  }
  return texts
}

/** Reads the characters of a font's glyphs from its ToUnicode map. */
function readGlyphs(map: string): Map<number, string> {
  const charByCode = new Map<number, string>()
  // Ligatures have several characters, with spaces between them.
  const readHexText = (hex: string): string =>
    Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le')
  for (const [, from = '', list = ''] of map.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[([^\]]*)\]/gi))
    for (const [index, hex] of [...list.matchAll(/<([0-9a-f ]+)>/gi)].entries())
      charByCode.set(Number.parseInt(from, 16) + index, readHexText(hex[1] ?? ''))
  return charByCode
}

/** Reads all text of a PDF, decoded once with each of its fonts. */
export function readPdfText(pdf: Uint8Array): string {
  const streams = readStreams(Buffer.from(pdf))
  const fonts = streams.filter((stream) => stream.includes('begincmap')).map(readGlyphs)
  const pages = streams.filter((stream) => stream.includes(' TJ') || stream.includes(' Tj'))
  return fonts
    .map((glyphs) =>
      pages
        .map((page) =>
          [...page.matchAll(/\[([^\]]*)\] TJ/g)]
            .map(([, parts = '']) =>
              [...parts.matchAll(/<([0-9a-f]+)>/gi)]
                .map(([, hex = '']) =>
                  (hex.match(/.{4}/g) ?? [])
                    .map((code) => glyphs.get(Number.parseInt(code, 16)) ?? '')
                    .join(''),
                )
                .join(''),
            )
            .join(''),
        )
        .join('\n'),
    )
    .join('\n')
}

/** Counts the lines of text in a PDF. A wrapped text has several. */
export const countTextLines = (pdf: Uint8Array): number =>
  readStreams(Buffer.from(pdf)).reduce((count, stream) => count + stream.split('BT\n').length - 1, 0)
