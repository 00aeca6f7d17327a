import type { Language } from '#contract/identity.ts'
import { type IncidentRule, type IncidentRuleDefinition, incidentRules } from '#contract/incident-rules.ts'

type RuleTexts = Pick<IncidentRuleDefinition, 'name' | 'opens' | 'closes'>

/** The texts of mails about incidents in one language. */
interface IncidentTexts {
  rules: Readonly<Record<IncidentRule, RuleTexts>>
  steps: Readonly<Record<string, string>>
  units: Readonly<Record<IncidentRuleDefinition['unit'], (value: string) => string>>
  figure: string
  open: (from: string, to: string) => string
  since: (time: string) => string
  inRegion: (headline: string, region: string) => string
  changes: (count: number, isDigest: boolean) => string
  details: string
  unsubscribe: string
  feedGone: string
}

/** The stored reason for closing an incident if its feed was switched off or deleted. Mails translate it. */
export const feedGoneText = 'The feed is switched off or gone.'

const english: IncidentTexts = {
  rules: incidentRules,
  steps: { opened: 'Opened', reopened: 'Reopened', closed: 'Closed' },
  units: {
    minutes: (value) => `${value} minutes since the first failure`,
    promises: (value) => `${value} times the limit`,
    hours: (value) => `${value === '1' ? '1 hour' : `${value} hours`} since the last record`,
    percent: (value) => `${value}%`,
  },
  figure: 'Figure',
  open: (from, to) => `Open from ${from} to ${to}`,
  since: (time) => `Since ${time}`,
  inRegion: (headline, region) => `${headline} in ${region}`,
  changes: (count, isDigest) =>
    `${isDigest ? 'Data health of the day' : 'Data health'}: ${count === 1 ? '1 change' : `${count} changes`}`,
  details: 'Details',
  unsubscribe: 'You get this e-mail because you subscribed to data health incidents. To unsubscribe',
  feedGone: feedGoneText,
}

const spanish: IncidentTexts = {
  rules: {
    feed_failing: {
      name: 'La fuente falla',
      opens: 'La fuente falla desde hace más de 30 minutos.',
      closes: 'La fuente vuelve a responder.',
    },
    feed_late: {
      name: 'La fuente llega tarde',
      opens:
        'El registro más reciente supera el doble del límite, en una hora que normalmente tiene registros.',
      closes: 'El registro más reciente está dentro del límite.',
    },
    gap: {
      name: 'Horas sin datos',
      opens:
        'La última hora completa no tiene registros y normalmente los tiene. Las horas sin datos se cuentan desde el último registro, que es anterior al incidente.',
      closes: 'La última hora completa vuelve a tener registros.',
    },
    volume_low: {
      name: 'Muchos menos registros de lo habitual',
      opens: 'Las últimas 24 horas tienen menos del 50% de los registros habituales en esas horas.',
      closes: 'Vuelven a tener el 60% o más.',
    },
    volume_high: {
      name: 'Muchos más registros de lo habitual',
      opens: 'Las últimas 24 horas tienen más del 200% de los registros habituales en esas horas.',
      closes: 'Vuelven a tener el 180% o menos.',
    },
    illegal_transitions: {
      name: 'Transiciones no permitidas',
      opens: 'Más del 5% de las transiciones de las últimas 6 horas no están permitidas.',
      closes: 'Las no permitidas vuelven a ser el 4% o menos.',
    },
    schema_violations: {
      name: 'Incumplimientos del esquema',
      opens: 'Más del 1% de los registros recibidos en las últimas 6 horas no cumplen el estándar.',
      closes: 'Los que no lo cumplen vuelven a ser el 0.8% o menos.',
    },
    clock_skew: {
      name: 'Reloj desajustado',
      opens:
        'Más del 1% de los registros recibidos en las últimas 6 horas tienen fecha posterior a su recepción.',
      closes: 'Los de fecha posterior vuelven a ser el 0.8% o menos.',
    },
    trips_without_end: {
      name: 'Viajes sin final',
      opens: 'Más del 2% de los viajes que empezaron hace entre 24 y 30 horas no tienen final.',
      closes: 'Los que no tienen final vuelven a ser el 1.5% o menos.',
    },
  },
  steps: { opened: 'Abierto', reopened: 'Reabierto', closed: 'Cerrado' },
  units: {
    minutes: (value) => `${value} minutos desde el primer fallo`,
    promises: (value) => `${value} veces el límite`,
    hours: (value) => `${value === '1' ? '1 hora' : `${value} horas`} desde el último registro`,
    percent: (value) => `${value}%`,
  },
  figure: 'Valor',
  open: (from, to) => `Abierto desde ${from} hasta ${to}`,
  since: (time) => `Desde ${time}`,
  inRegion: (headline, region) => `${headline} en ${region}`,
  changes: (count, isDigest) =>
    `${isDigest ? 'Calidad de los datos del día' : 'Calidad de los datos'}: ${count === 1 ? '1 cambio' : `${count} cambios`}`,
  details: 'Detalles',
  unsubscribe:
    'Recibe este correo porque se suscribió a los incidentes de calidad de los datos. Para cancelar la suscripción',
  feedGone: 'La fuente está desactivada o ya no existe.',
}

export const incidentTexts: Readonly<Record<Language, IncidentTexts>> = { 'en-US': english, es: spanish }
