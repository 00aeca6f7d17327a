import { expect, it } from 'vitest'
import { freeLocales, localeName, shownLocales } from './message-locales.ts'

it('lists en-US first and always; others can be added once', () => {
  expect(shownLocales({})).toEqual(['en-US'])
  expect(shownLocales({ es: 'Hola', 'en-US': 'Hello' })).toEqual(['en-US', 'es'])
  expect(freeLocales({ es: '' })).not.toContain('es')
  expect(freeLocales({})).toContain('es')
  expect(freeLocales({})).not.toContain('en-US')
})

it('names locales in the language of the user', () => {
  expect(localeName('es', 'en-US')).toBe('Spanish')
  expect(localeName('es', 'es')).toBe('español')
  expect(localeName('no such tag', 'en-US')).toBe('no such tag')
})
