import i18next from 'i18next'
import { afterEach, expect, it } from 'vitest'
import { vehicleTypeTexts } from '#contract/mobility.ts'
import { loadRoomTexts, changeLanguage, startI18n } from '#web/i18n/start-i18n.ts'
import { vehicleTypeName } from './vehicle-type-name.ts'

afterEach(() => i18next.changeLanguage('en-US'))

it('names vehicle types in the language of the user', async () => {
  await startI18n()
  await loadRoomTexts()
  for (const [type, text] of Object.entries(vehicleTypeTexts)) expect(vehicleTypeName(type)).toBe(text)
  await changeLanguage('es')
  expect(vehicleTypeName('scooter_standing')).toBe('Monopatín de pie')
  expect(vehicleTypeName('cargo_bicycle')).toBe('cargo bicycle')
})
