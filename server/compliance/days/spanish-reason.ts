import type { ComplianceMeasure, ComplianceRecord } from '#contract/compliance.ts'
import { counted, number } from './reason-text.ts'

const measures: Readonly<Record<ComplianceMeasure, { one: string; other: string }>> = {
  vehicles: { one: 'vehículo', other: 'vehículos' },
  percent_of_fleet: { one: '% de la flota', other: '% de la flota' },
  drop_offs: { one: 'despliegue', other: 'despliegues' },
  trips_per_vehicle: { one: 'viaje por vehículo', other: 'viajes por vehículo' },
  percent_of_parking: { one: '% de los estacionamientos', other: '% de los estacionamientos' },
  parking_events: { one: 'vehículo estacionado aquí', other: 'vehículos estacionados aquí' },
  long_parking_events: {
    one: 'vehículo estacionado más tiempo que el límite',
    other: 'vehículos estacionados más tiempo que el límite',
  },
  trips: { one: 'viaje por esta área', other: 'viajes por esta área' },
  speeding_points: {
    one: 'posición por encima del límite de velocidad',
    other: 'posiciones por encima del límite de velocidad',
  },
  rule_violations: { one: 'infracción de reglas', other: 'infracciones de reglas' },
}

/** Why a record is a violation, as `reasonText` has it in English; other records are not mailed. */
export function spanishReason({
  reason_code: code,
  measure,
  measured,
  minimum,
  maximum,
  violations,
  uncertain,
  provisional,
  reason,
}: ComplianceRecord): string {
  const soFar = provisional ? ' hasta ahora' : ''
  switch (code) {
    case 'over_maximum':
      return `${counted(measure, measured ?? 0, measures)}${soFar}: por encima del máximo de ${number(maximum ?? 0)}.`
    case 'under_minimum':
      return `${counted(measure, measured ?? 0, measures)}: por debajo del mínimo de ${number(minimum ?? 0)}.`
    case 'found':
      return `${counted(measure, violations, measures)}${soFar}.${uncertain ? ` Entre ellos, ${uncertain} con incertidumbre: más cerca del borde que su precisión.` : ''}`
    default:
      return reason
  }
}
