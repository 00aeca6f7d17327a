import { tokens, type Scheme } from '#web/kit/theme.ts'

const padding = 32
const headHeight = 88

/** The drawing of a chart as a PNG, with its title and a line of context above it. */
export function chartImage(
  drawing: HTMLCanvasElement,
  { title, context, scheme }: { title: string; context: string; scheme: Scheme },
): Promise<Blob | null> {
  const picture = document.createElement('canvas')
  picture.width = drawing.width + 2 * padding
  picture.height = drawing.height + headHeight + 2 * padding
  const paper = picture.getContext('2d')
  if (!paper) return Promise.resolve(null)
  const { panel, ink, quiet } = tokens[scheme]
  paper.fillStyle = panel
  paper.fillRect(0, 0, picture.width, picture.height)
  paper.fillStyle = ink
  paper.font = "600 30px 'Inter Variable', system-ui, sans-serif"
  paper.fillText(title, padding, padding + 30, drawing.width)
  paper.fillStyle = quiet
  paper.font = "24px 'Inter Variable', system-ui, sans-serif"
  paper.fillText(context, padding, padding + 66, drawing.width)
  paper.drawImage(drawing, padding, padding + headHeight)
  return new Promise((resolve) => picture.toBlob(resolve, 'image/png'))
}
