import { expect, test } from 'vitest'
import { readXml } from './read-xml.ts'

test('readXml reads elements with text and children', () => {
  expect(
    readXml(
      '<?xml version="1.0"?><a:requests><request id="1"><b> x &amp; <![CDATA[<y>]]> </b><c/></request></a:requests>',
    ),
  ).toEqual({
    name: 'requests',
    text: '',
    children: [
      {
        name: 'request',
        text: '',
        children: [
          { name: 'b', text: 'x & <y>', children: [] },
          { name: 'c', text: '', children: [] },
        ],
      },
    ],
  })
})

test('readXml rejects entities, incomplete XML and other text with a message', () => {
  expect(() => readXml('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>')).toThrow(/DOCTYPE/)
  expect(() => readXml('<a><b>')).toThrow(/ends before/)
  expect(() => readXml('no')).toThrow(/text outside/)
  expect(() => readXml('<a>'.repeat(300))).toThrow(/nests/)
})
