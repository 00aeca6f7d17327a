import i18next from 'i18next'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  flattenKeys,
  loadRoomTexts,
  getRoom,
  changeLanguage,
  startI18n,
  storedLanguage,
} from './start-i18n.ts'

beforeEach(() => localStorage.clear())

describe('texts', () => {
  it('texts start in English, with those of the sign-in page only', async () => {
    await startI18n()
    expect(document.documentElement.lang).toBe('en-US')
    expect(i18next.t('identity:login')).toBe('Login')
    expect(i18next.exists('imports:context')).toBe(false)
  })

  it('texts of the other rooms are loaded with the frame', async () => {
    await startI18n()
    await loadRoomTexts()
    expect(i18next.t('imports:status.done')).toBe('Done')
    expect(i18next.t('geography:shapeCount', { count: 1, shown: '1' })).toBe('1 shape')
  })

  it('texts are in the language that was chosen last', async () => {
    await startI18n()
    await changeLanguage('es')
    expect([storedLanguage(), document.documentElement.lang, i18next.t('identity:login')]).toEqual([
      'es',
      'es',
      'Iniciar sesión',
    ])
    await startI18n()
    expect([i18next.language, i18next.t('identity:login')]).toEqual(['es-US-u-hc-h23', 'Iniciar sesión'])
    await changeLanguage('en-US')
    expect(i18next.t('identity:login')).toBe('Login')
  })

  it('texts ignore an unknown language', () => {
    localStorage.setItem('publicway.language', 'xx')
    expect(storedLanguage()).toBe('en-US')
  })
})

it('texts are in a room named after their file, with keys named after their path', () => {
  expect(getRoom('#web/geography/geography.en.json')).toBe('geography')
  expect(flattenKeys({ a: 'x', b: { c: 'y', d: { e: 'z' } } })).toEqual(['a', 'b.c', 'b.d.e'])
})
