import { afterEach, expect, it } from 'vitest'
import spanish from './server-texts.spanish.json' with { type: 'json' }
import { translateServerText, setServerTexts } from './server-text.ts'

afterEach(() => setServerTexts({}))

it('does not change texts in English or unknown texts', () => {
  expect(translateServerText('There is no such feed.')).toBe('There is no such feed.')
  setServerTexts(spanish)
  expect(translateServerText('Something new.')).toBe('Something new.')
})

it.each([
  ['There is no such feed.', 'No existe esa fuente.'],
  ["There is no region 'x (1)'.", 'No existe la región «x (1)».'],
  [
    "region_ids: Your organization has no operator 'x'.",
    'region_ids: Su organización no tiene el operador «x».',
  ],
  [
    'body.name: Too small: expected string to have >=1 characters; body.pin: Invalid UUID',
    'body.name: No puede estar vacío; body.pin: UUID no válido',
  ],
  [
    'None of these rows can be read with this mapping. Check the columns, or confirm to import the rows all the same.',
    'Ninguna de estas filas se puede leer con esta asignación. Revise las columnas, o confirme para importar las filas de todos modos.',
  ],
  ['The number needs {seq} once', 'El número necesita {seq} una vez'],
])('translates %j', (english, text) => {
  setServerTexts(spanish)
  expect(translateServerText(english)).toBe(text)
})

it('has the placeholders of each sentence in its translation', () => {
  const getPlaceholders = (text: string) => [...new Set(text.match(/\{\d\}/g))].sort()
  // Translations of validation errors may omit values.
  const sentences = Object.entries(spanish).filter(([english]) => !/^(Too|Invalid)/.test(english))
  expect(sentences.map(([, text]) => getPlaceholders(text))).toEqual(
    sentences.map(([english]) => getPlaceholders(english)),
  )
})
