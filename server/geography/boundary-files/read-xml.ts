import { parseXml } from './parse-xml.ts'

/** An element of an XML document. */
export interface XmlElement {
  /** Name without namespace prefix. */
  name: string
  /** Text of the element itself, trimmed. */
  text: string
  children: XmlElement[]
}

const maxElements = 2_000_000

/**
 * Parses XML and returns the root element. Document types are rejected, so that no entities can be declared
 * or loaded.
 * @throws Error with a message for users.
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
