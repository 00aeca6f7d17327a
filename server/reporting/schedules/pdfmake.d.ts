/* The parts of pdfmake 0.3 that are used here. */

declare module 'pdfmake' {
  interface PdfDocument {
    getBuffer(): Promise<Buffer>
  }
  interface PdfMake {
    setFonts(fonts: Readonly<Record<string, Readonly<Record<string, string>>>>): void
    setUrlAccessPolicy(isAllowed: (url: string) => boolean): void
    setLocalAccessPolicy(isAllowed: (path: string) => boolean): void
    createPdf(definition: object): PdfDocument
  }
  const pdfMake: PdfMake
  export default pdfMake
}

declare module 'pdfmake/fonts/Roboto.js' {
  const fonts: { Roboto: Record<'normal' | 'bold' | 'italics' | 'bolditalics', string> }
  export default fonts
}
