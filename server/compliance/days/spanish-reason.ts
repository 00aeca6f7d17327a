import type { ComplianceMeasure, ComplianceRecord } from '#contract/compliance.ts'
import { countText, numberText } from './reason-text.ts'

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

/** Explains a violation in Spanish, as `reasonText` does in English. Other records are not mailed. */
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
      return `${countText(measure, measured ?? 0, measures)}${soFar}: por encima del máximo de ${numberText(maximum ?? 0)}.`
    case 'under_minimum':
      return `${countText(measure, measured ?? 0, measures)}: por debajo del mínimo de ${numberText(minimum ?? 0)}.`
    case 'found':
      return `${countText(measure, violations, measures)}${soFar}.${uncertain ? ` Entre ellos, ${uncertain} con incertidumbre: más cerca del borde que su precisión.` : ''}`
    default:
      return reason
  }
}
