import { parseXml } from './formats/parse-xml.ts'

/** An element of an XML text. */
export interface XmlElement {
  /** Without its namespace prefix. */
  name: string
  /** Of the element itself, blanks around it left out. */
  text: string
  children: XmlElement[]
}

/** Elements that a text may have. */
const maxElements = 2_000_000

/**
 * The outermost element of an XML text. A document type is refused, so that no entity can be declared and nothing outside the text is read.
 * @throws Error whose message says in a sentence what is wrong.
 */
export function readXml(text: string): XmlElement {
  const root: XmlElement = { name: '', text: '', children: [] }
  const open = [root]
  let count = 0
  parseXml(text, {
    open(name) {
      if (++count > maxElements) throw new Error('The XML has more than two million elements.')
      const element: XmlElement = { name, text: '', children: [] }
      open.at(-1)?.children.push(element)
      open.push(element)
    },
    text(part) {
      const element = open.at(-1)
      if (element) element.text += part
    },
    close() {
      const element = open.pop()
      if (element) element.text = element.text.trim()
    },
  })
  return root.children[0] ?? root
}
