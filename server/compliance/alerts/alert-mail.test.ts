import { expect, test } from 'vitest'
import { composeAlertMail, type MailPart, composeTestMail } from './alert-mail.ts'
import type { RecordToReport } from './find-new-violations.ts'

const id = 'aaaaaaaa-0000-4000-8000-000000000001'
const about = {
  region: { regionId: 'alder', text: 'Alder' },
  publicUrl: 'https://streets.example',
  token: 'bbbb',
  isDigest: false,
  getOperatorName: (slug: string) => slug.toUpperCase(),
  language: 'en-US' as const,
}
const record = (overrides: Partial<RecordToReport> = {}): RecordToReport => ({
  date: '2026-05-04',
  operator: 'swift',
  shape_uuid: id,
  shape_name: 'Harbour',
  status: 'non_compliant',
  vehicle_count: 3,
  drop_offs_count: null,
  reason: '3 rides.',
  reason_code: 'found',
  measure: 'trips',
  measured: 3,
  minimum: null,
  maximum: null,
  unit: null,
  violations: 3,
  uncertain: 0,
  gap_hours: 0,
  provisional: false,
  policy_uuid: id,
  method_version: 1,
  counts_uncertain: false,
  sent_violations: 0,
  ...overrides,
})
const part = (name: string, records: readonly RecordToReport[]): MailPart => ({
  policy: { policy_uuid: id, constant_policy_uuid: id, name, type: 'no_ride' },
  records,
})

test('An alert email lists the newest day first, by operator and shape, with links to the page and to unsubscribe', () => {
  const records = [
    record({ date: '2026-05-03' }),
    record({ operator: 'lark', shape_uuid: null }),
    record({ sent_violations: 1 }),
  ]
  expect(composeAlertMail([part('No rides', records)], about)).toEqual({
    subject: 'New violations: No rides in Alder',
    text: `No rides
- May 4, 2026, LARK: 3 rides.
- May 4, 2026, SWIFT, Harbour: 3 rides. (more than reported before: 1, now 3)
- May 3, 2026, SWIFT, Harbour: 3 rides.
Details: https://streets.example/alder/mobility/policies/compliance/${id}

You get this e-mail because you subscribed to new violations. To unsubscribe: https://streets.example/unsubscribe/violations/bbbb
`,
  })
})

test('An alert email shows the number of records that do not fit, for all policies combined', () => {
  const many = Array.from({ length: 50 }, (_, index) => record({ operator: `o${index}` }))
  const { subject, text } = composeAlertMail([part('A', many), part('B', many), part('C', many)], {
    ...about,
    isDigest: true,
  })
  expect(subject).toBe('Violations of the day: 3 policies in Alder')
  expect(text.match(/3 rides/g)).toHaveLength(60)
  expect([...text.matchAll(/and (\d+) more/g)].map(([, count]) => count)).toEqual(['40', '50'])
})

test('A test email states that nothing was found', () => {
  const { subject, text } = composeTestMail(about)
  expect(subject).toBe('Test: e-mails about violations in Alder')
  expect(text).toContain('https://streets.example/unsubscribe/violations/bbbb')
})

test('An alert email is in the language of its recipient', () => {
  const records = [
    record({ sent_violations: 1, uncertain: 2 }),
    record({
      operator: 'lark',
      reason_code: 'over_maximum',
      measure: 'vehicles',
      measured: 12.5,
      maximum: 10,
      shape_uuid: null,
    }),
  ]
  expect(composeAlertMail([part('Sin viajes', records)], { ...about, language: 'es' })).toEqual({
    subject: 'Nuevas infracciones: Sin viajes en Alder',
    text: `Sin viajes
- 4 may 2026, LARK: 12.5 vehículos: por encima del máximo de 10.
- 4 may 2026, SWIFT, Harbour: 3 viajes por esta área. Entre ellos, 2 con incertidumbre: más cerca del borde que su precisión. (más que en el aviso anterior: 1, ahora 3)
Detalles: https://streets.example/alder/mobility/policies/compliance/${id}

Recibe este correo porque se suscribió a las nuevas infracciones. Para cancelar la suscripción: https://streets.example/unsubscribe/violations/bbbb
`,
  })
})
