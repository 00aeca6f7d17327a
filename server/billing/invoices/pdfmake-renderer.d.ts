/* The internals of pdfmake 0.3 and pdfkit 0.19 that `tag-pdf.ts` uses. */

declare module 'pdfmake/js/Renderer.js' {
  import type { TableCell } from './tag-pdf.ts'

  export interface StructureElement {
    add(content: object): void
    end(): void
  }
  export interface TaggedDocument {
    options: { tagged?: boolean }
    page: { height: number }
    struct(type: string, options?: object): StructureElement
    addStructure(element: StructureElement): void
    markStructureContent(tag: string): object
    markContent(tag: string): void
    endMarkedContent(): void
  }
  export interface PdfLine {
    inlines: { fontSize: number; tableCell?: TableCell }[]
  }
  class Renderer {
    pdfDocument: TaggedDocument
    renderPages(pages: readonly unknown[]): void
    renderLine(line: PdfLine, x: number, y: number): void
    renderVector(vector: object): void
    renderImage(image: object): void
  }
  /** The shape of a CommonJS module depends on the loader. */
  const rendererModule: typeof Renderer | { default: typeof Renderer }
  export default rendererModule
}
