import { describe, expect, it, test } from 'vitest'
import { formatFigure, composeIncidentMail, type MailedStep } from './incident-mail.ts'

const region = { regionId: 'alder', text: 'Alder', timezone: 'America/New_York' }
const links = {
  link: 'https://city.example/alder/mobility/data-health',
  unsubscribeLink: 'https://city.example/unsubscribe/t',
  isDigest: false,
  language: 'en-US' as const,
}
const opened: MailedStep = {
  step: 'opened',
  at: new Date('2026-03-18T15:00:00Z'),
  value: 47.6,
  text: null,
  rule: 'feed_failing',
  operator: 'swift',
  feed: 'Swift feed',
  opened: new Date('2026-03-18T15:00:00Z'),
}

describe('a mail about incidents', () => {
  it('contains the rule, the time of the incident and a link to unsubscribe', () => {
    const { subject, text } = composeIncidentMail(region, [opened], links)
    expect(subject).toBe('Opened: Feed fails (swift, Swift feed) in Alder')
    expect(text).toBe(
      'Opened: Feed fails (swift, Swift feed)\nThe feed has failed for more than 30 minutes.\nFigure: 48 minutes since the first failure\nSince Mar 18, 2026, 11:00 AM\n\nDetails: https://city.example/alder/mobility/data-health\n\nYou get this e-mail because you subscribed to data health incidents. To unsubscribe: https://city.example/unsubscribe/t\n',
    )
  })
  it('contains the duration of a closed incident', () => {
    const { subject, text } = composeIncidentMail(
      region,
      [{ ...opened, step: 'closed', value: null, feed: null, at: new Date('2026-03-18T17:30:00Z') }],
      links,
    )
    expect(subject).toBe('Closed: Feed fails (swift) in Alder')
    expect(text).toContain(
      'The feed responds again.\nOpen from Mar 18, 2026, 11:00 AM to Mar 18, 2026, 1:30 PM',
    )
    expect(text).not.toContain('Figure')
  })
  it('lists all changes if it is the digest of a day', () => {
    const { subject, text } = composeIncidentMail(
      region,
      [opened, { ...opened, step: 'closed', text: 'The feed is switched off or gone.' }],
      { ...links, isDigest: true },
    )
    expect(subject).toBe('Data health of the day: 2 changes in Alder')
    expect(text.indexOf('Opened')).toBeLessThan(text.indexOf('Closed'))
    expect(text).toContain('The feed is switched off or gone.')
    expect(composeIncidentMail(region, [opened], { ...links, isDigest: true }).subject).toBe(
      'Data health of the day: 1 change in Alder',
    )
  })
  it('is in the language of its recipient', () => {
    const { subject, text } = composeIncidentMail(
      region,
      [{ ...opened, step: 'closed', text: 'The feed is switched off or gone.' }],
      { ...links, language: 'es' },
    )
    expect(subject).toBe('Cerrado: La fuente falla (swift, Swift feed) en Alder')
    expect(text).toBe(
      'Cerrado: La fuente falla (swift, Swift feed)\nLa fuente está desactivada o ya no existe.\nValor: 48 minutos desde el primer fallo\nAbierto desde 18 mar 2026, 11:00 hasta 18 mar 2026, 11:00\n\nDetalles: https://city.example/alder/mobility/data-health\n\nRecibe este correo porque se suscribió a los incidentes de calidad de los datos. Para cancelar la suscripción: https://city.example/unsubscribe/t\n',
    )
  })
})

test('Figures are in the unit of their rule', () => {
  expect([
    formatFigure('feed_late', 2.44),
    formatFigure('gap', 1),
    formatFigure('gap', 3),
    formatFigure('volume_low', 12.34),
    formatFigure('feed_failing', 30.4),
  ]).toEqual([
    '2.4 times the limit',
    '1 hour since the last record',
    '3 hours since the last record',
    '12.3%',
    '30 minutes since the first failure',
  ])
})
