import rendererModule, { type PdfLine, type TaggedDocument } from 'pdfmake/js/Renderer.js'

/** A text of this size is the title. */
const titleSize = 20

/** Distance below which two texts are on one line, points. */
const sameLine = 0.5

/**
 * Adds the structure that screen readers follow, which pdfmake 0.3 does not write: the title, and a paragraph for each row of a
 * table or line of text, in the order of the document. Lines that are drawn, images and what is within `footerHeight` of the bottom are
 * artifacts. Call once per thread.
 */
export function tagTexts(footerHeight: number): void {
  // Node gives the exports of a CommonJS module, bundlers may give its default.
  const { prototype } = 'default' in rendererModule ? rendererModule.default : rendererModule
  const { renderLine, renderVector, renderImage, renderPages } = prototype
  /** The paragraph that is being written, and its last text. */
  let open: { element: ReturnType<TaggedDocument['struct']>; x: number; y: number } | null = null

  const end = (): void => {
    open?.element.end()
    open = null
  }
  const elementOf = (document: TaggedDocument, line: PdfLine, x: number, y: number) => {
    const isTitle = (line.inlines[0]?.fontSize ?? 0) >= titleSize
    // Cells of a row follow each other to the right; lines of a cell are below each other.
    const continues = open && !isTitle && (x > open.x + sameLine || Math.abs(y - open.y) < sameLine)
    if (!open || !continues) {
      end()
      const element = document.struct(isTitle ? 'H1' : 'P')
      document.addStructure(element)
      open = { element, x, y }
    }
    open.x = x
    open.y = y
    return { element: open.element, tag: isTitle ? 'H1' : 'P' }
  }
  const asArtifact = (document: TaggedDocument, draw: () => void): void => {
    if (!document.options.tagged) return draw()
    document.markContent('Artifact')
    draw()
    document.endMarkedContent()
  }

  prototype.renderLine = function (line, x, y) {
    const document = this.pdfDocument
    const draw = (): void => renderLine.call(this, line, x, y)
    if (!document.options.tagged) return draw()
    if (y > document.page.height - footerHeight) return asArtifact(document, draw)
    const { element, tag } = elementOf(document, line, x, y)
    element.add(document.markStructureContent(tag))
    draw()
    document.endMarkedContent()
  }
  prototype.renderVector = function (vector) {
    asArtifact(this.pdfDocument, () => renderVector.call(this, vector))
  }
  prototype.renderImage = function (image) {
    asArtifact(this.pdfDocument, () => renderImage.call(this, image))
  }
  prototype.renderPages = function (pages) {
    renderPages.call(this, pages)
    end()
  }
}
