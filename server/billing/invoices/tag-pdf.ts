import rendererModule, {
  type PdfLine,
  type StructureElement,
  type TaggedDocument,
} from 'pdfmake/js/Renderer.js'

/** A text of this size is the title. */
const titleSize = 20

/** Distance below which two texts are on one line, points. */
const sameLine = 0.5

/** Where a text is in a table; a fragment of text that has it as `tableCell` is a cell. `scope`: what a header cell is the header of. */
export interface TableCell {
  table: string
  row: number
  column: number
  columns: number
  scope: 'Column' | 'Row' | null
}

/** A table that is being written: its row, and the last cell in it. */
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

  /** The element of a cell, which must not be before the last one; null: a header that is repeated on another page. */
  cellOf({ row, column, scope }: TableCell): { element: StructureElement; tag: string } | null {
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

  /** Cells without a text up to a column, so that all rows have the same columns. */
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
 * Adds the structure that screen readers follow, which pdfmake 0.3 does not write: the title, tables with their rows and header cells, and a
 * paragraph for each other line of text, in the order of the document. Lines that are drawn, images, repeated headers and what is within
 * `footerHeight` of the bottom are artifacts. Call once per thread.
 */
export function tagTexts(footerHeight: number): void {
  // Node gives the exports of a CommonJS module, bundlers may give its default.
  const { prototype } = 'default' in rendererModule ? rendererModule.default : rendererModule
  const { renderLine, renderVector, renderImage, renderPages } = prototype
  /** What all others are in. */
  let root: StructureElement | null = null
  /** The paragraph that is being written, and its last text. */
  let open: { element: StructureElement; y: number } | null = null
  let table: OpenTable | null = null

  const end = (): void => {
    open?.element.end()
    table?.end()
    open = table = null
  }
  const rootOf = (document: TaggedDocument): StructureElement => {
    if (!root) document.addStructure((root = document.struct('Document')))
    return root
  }
  const cellOf = (document: TaggedDocument, cell: TableCell) => {
    if (table?.name !== cell.table) {
      end()
      table = new OpenTable(document, rootOf(document), cell)
    }
    return table.cellOf(cell)
  }
  const elementOf = (document: TaggedDocument, line: PdfLine, y: number) => {
    const isTitle = (line.inlines[0]?.fontSize ?? 0) >= titleSize
    const continues = open && !isTitle && Math.abs(y - open.y) < sameLine
    if (!open || !continues) {
      end()
      const element = document.struct(isTitle ? 'H1' : 'P')
      rootOf(document).add(element)
      open = { element, y }
    }
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
    const [first] = line.inlines
    if (!first) return draw()
    const found = first.tableCell ? cellOf(document, first.tableCell) : elementOf(document, line, y)
    if (!found) return asArtifact(document, draw)
    found.element.add(document.markStructureContent(found.tag))
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
    root?.end()
    root = null
  }
}
