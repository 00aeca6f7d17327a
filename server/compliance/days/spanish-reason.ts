import type { ComplianceMeasure, ComplianceRecord } from '#contract/compliance.ts'

const measures: Readonly<Record<ComplianceMeasure, readonly [one: string, other: string]>> = {
  vehicles: ['vehículo', 'vehículos'],
  percent_of_fleet: ['% de la flota', '% de la flota'],
  drop_offs: ['despliegue', 'despliegues'],
  trips_per_vehicle: ['viaje por vehículo', 'viajes por vehículo'],
  percent_of_parking: ['% de los estacionamientos', '% de los estacionamientos'],
  parking_events: ['vehículo estacionado aquí', 'vehículos estacionados aquí'],
  long_parking_events: [
    'vehículo estacionado más tiempo que el límite',
    'vehículos estacionados más tiempo que el límite',
  ],
  trips: ['viaje por esta área', 'viajes por esta área'],
  speeding_points: [
    'posición por encima del límite de velocidad',
    'posiciones por encima del límite de velocidad',
  ],
  rule_violations: ['infracción de reglas', 'infracciones de reglas'],
}

const number = (value: number): string => String(Math.round(value * 100) / 100)
const counted = (measure: ComplianceMeasure, value: number): string => {
  const text = number(value)
  return `${text} ${measures[measure][text === '1' ? 0 : 1]}`
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
      return `${counted(measure, measured ?? 0)}${soFar}: por encima del máximo de ${number(maximum ?? 0)}.`
    case 'under_minimum':
      return `${counted(measure, measured ?? 0)}: por debajo del mínimo de ${number(minimum ?? 0)}.`
    case 'found':
      return `${counted(measure, violations)}${soFar}.${uncertain ? ` Entre ellos, ${uncertain} con incertidumbre: más cerca del borde que su precisión.` : ''}`
    default:
      return reason
  }
}
