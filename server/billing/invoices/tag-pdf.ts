import rendererModule, {
  type PdfLine,
  type StructureElement,
  type TaggedDocument,
} from 'pdfmake/js/Renderer.js'

/** Text of at least this font size is tagged as the title. */
const titleSize = 20
/** Texts with a vertical distance below this are on the same line, points. */
const sameLineDistance = 0.5

/** The position of a text in a table. A text fragment with this as `tableCell` is tagged as a cell. */
export interface TableCell {
  table: string
  row: number
  column: number
  columns: number
  /** What a header cell is the header of; null for other cells. */
  scope: 'Column' | 'Row' | null
}

/** A table that is being written, with its current row and cell. */
class OpenTable {
  readonly #document: TaggedDocument
  readonly #columns: number
  readonly #element: StructureElement
  #row: { number: number; element: StructureElement } | null = null
  #cell: { column: number; element: StructureElement } | null = null
  readonly name: string

  constructor(document: TaggedDocument, root: StructureElement, { table, columns }: TableCell) {
    this.#document = document
    this.#columns = columns
    this.name = table
    this.#element = document.struct('Table')
    root.add(this.#element)
  }

  /** Opens the element of a cell, in the order of cells; null for a header row repeated on another page. */
  openCell({ row, column, scope }: TableCell): { element: StructureElement; tag: string } | null {
    if (this.#row && row < this.#row.number) return null
    if (row !== this.#row?.number) {
      this.#endRow()
      const element = this.#document.struct('TR')
      this.#element.add(element)
      this.#row = { number: row, element }
    }
    const tag = scope ? 'TH' : 'TD'
    if (column !== this.#cell?.column) {
      this.#addEmptyCells(column)
      this.#cell = { column, element: this.#addCell(tag, scope ? { scope } : {}) }
    }
    return { element: this.#cell.element, tag }
  }

  end(): void {
    this.#endRow()
    this.#element.end()
  }

  #addCell(tag: string, options: object): StructureElement {
    const element = this.#document.struct(tag, options)
    this.#row?.element.add(element)
    return element
  }

  /** Adds empty cells up to a column, so that all rows have the same number of columns. */
  #addEmptyCells(until: number): void {
    this.#cell?.element.end()
    for (let column = (this.#cell?.column ?? -1) + 1; column < until; column++) this.#addCell('TD', {}).end()
  }

  #endRow(): void {
    if (!this.#row) return
    this.#addEmptyCells(this.#columns)
    this.#row.element.end()
    this.#row = this.#cell = null
  }
}

/**
 * Patches pdfmake 0.3 to write the structure that screen readers need: the title, tables with rows and header
 * cells, and a paragraph for each other line of text, in document order. Drawn lines, images, repeated
 * headers and everything within `footerHeight` of the bottom become artifacts. Call once per thread.
 */
export function tagTexts(footerHeight: number): void {
  // Node returns the exports of a CommonJS module; bundlers may wrap them in `default`.
  const { prototype } = 'default' in rendererModule ? rendererModule.default : rendererModule
  const { renderLine, renderVector, renderImage, renderPages } = prototype
  /** The element that contains all others. */
  let root: StructureElement | null = null
  /** The paragraph that is being written, and the position of its last text. */
  let openParagraph: { element: StructureElement; y: number } | null = null
  let table: OpenTable | null = null

  const endOpenElements = (): void => {
    openParagraph?.element.end()
    table?.end()
    openParagraph = table = null
  }
  const getRoot = (document: TaggedDocument): StructureElement => {
    if (!root) document.addStructure((root = document.struct('Document')))
    return root
  }
  const getCell = (document: TaggedDocument, cell: TableCell) => {
    if (table?.name !== cell.table) {
      endOpenElements()
      table = new OpenTable(document, getRoot(document), cell)
    }
    return table.openCell(cell)
  }
  const getParagraph = (document: TaggedDocument, line: PdfLine, y: number) => {
    const isTitle = (line.inlines[0]?.fontSize ?? 0) >= titleSize
    const isSameLine = openParagraph && !isTitle && Math.abs(y - openParagraph.y) < sameLineDistance
    if (!openParagraph || !isSameLine) {
      endOpenElements()
      const element = document.struct(isTitle ? 'H1' : 'P')
      getRoot(document).add(element)
      openParagraph = { element, y }
    }
    openParagraph.y = y
    return { element: openParagraph.element, tag: isTitle ? 'H1' : 'P' }
  }
  const drawAsArtifact = (document: TaggedDocument, draw: () => void): void => {
    if (!document.options.tagged) return draw()
    document.markContent('Artifact')
    draw()
    document.endMarkedContent()
  }

  prototype.renderLine = function (line, x, y) {
    const document = this.pdfDocument
    const draw = (): void => renderLine.call(this, line, x, y)
    if (!document.options.tagged) return draw()
    if (y > document.page.height - footerHeight) return drawAsArtifact(document, draw)
    const [firstText] = line.inlines
    if (!firstText) return draw()
    const { tableCell } = firstText
    const target = tableCell ? getCell(document, tableCell) : getParagraph(document, line, y)
    if (!target) return drawAsArtifact(document, draw)
    target.element.add(document.markStructureContent(target.tag))
    draw()
    document.endMarkedContent()
  }
  prototype.renderVector = function (vector) {
    drawAsArtifact(this.pdfDocument, () => renderVector.call(this, vector))
  }
  prototype.renderImage = function (image) {
    drawAsArtifact(this.pdfDocument, () => renderImage.call(this, image))
  }
  prototype.renderPages = function (pages) {
    renderPages.call(this, pages)
    endOpenElements()
    root?.end()
    root = null
  }
}
