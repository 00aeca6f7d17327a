import type { MeasureKey } from '#contract/metrics.ts'

/** English names of measures, as on the report pages. Their definitions come from the API's declaration. */
export const englishNames: Readonly<Record<MeasureKey, string>> = {
  trips: 'Trips',
  trips_per_vehicle: 'Trips per vehicle per day',
  fleet_avg: 'Average vehicles',
  fleet_max: 'Maximum vehicles',
  fleet_sae_max: 'Maximum hourly average',
  fleet_daytime_avg: 'Average vehicles in operating hours',
  vehicles_available: 'Available vehicles',
  vehicles_reserved: 'Reserved vehicles',
  vehicles_on_trip: 'Vehicles on trips',
  vehicles_non_operational: 'Non-operational vehicles',
  active_share: 'Active vehicles',
  utilization: 'Utilization',
  idle_share: 'Idle time',
  non_operational_share: 'Non-operational time',
  low_battery_time: 'Low-battery time',
  wait_between_trips: 'Wait between trips',
  distance_total: 'Total distance',
  distance_mean: 'Mean trip distance',
  distance_median: 'Median trip distance',
  distance_p90: '90% of trips are shorter than',
  duration_total: 'Total trip duration',
  duration_mean: 'Mean trip duration',
  duration_median: 'Median trip duration',
  duration_p90: '90% of trips take less than',
  speed_mean: 'Mean trip speed',
  parking_events: 'Parking events',
  parked_time: 'Parked time',
  parking_over_limit: 'Parking events over 24 hours',
  parked_mean: 'Mean parked time',
  parked_median: 'Median parked time',
  drop_offs: 'Operator drop-offs',
  rebalancing: 'Rebalancing pick-ups',
}

/** Names and definitions of measures in Spanish, as in the web app. */
export const spanishMeasures: Readonly<Record<MeasureKey, { name: string; definition: string }>> = {
  trips: { name: 'Viajes', definition: 'Viajes que empiezan en el período.' },
  trips_per_vehicle: {
    name: 'Viajes por vehículo y día',
    definition:
      'Viajes de un día divididos por la flota promedio de ese día; en un período más largo, el promedio de sus días. No cuentan los viajes de operadores sin vehículos ese día.',
  },
  fleet_avg: {
    name: 'Vehículos en promedio',
    definition:
      'Promedio: tiempo de todos los vehículos en la vía pública dividido por la duración del período.',
  },
  fleet_max: {
    name: 'Máximo de vehículos',
    definition: 'Máximo: el mayor número de vehículos en la vía pública en un minuto cualquiera.',
  },
  fleet_sae_max: {
    name: 'Promedio máximo por hora',
    definition: 'Máximo SAE: el mayor de los promedios por hora de vehículos en la vía pública.',
  },
  fleet_daytime_avg: {
    name: 'Vehículos en promedio en horario de servicio',
    definition: 'Promedio diurno: como el promedio, pero solo en el horario de servicio de la región.',
  },
  vehicles_available: {
    name: 'Vehículos disponibles',
    definition: 'Número promedio de vehículos que se podían alquilar.',
  },
  vehicles_reserved: { name: 'Vehículos reservados', definition: 'Número promedio de vehículos reservados.' },
  vehicles_on_trip: {
    name: 'Vehículos en viaje',
    definition: 'Número promedio de vehículos en viaje, incluidas las paradas.',
  },
  vehicles_non_operational: {
    name: 'Vehículos fuera de servicio',
    definition: 'Número promedio de vehículos que no se podían alquilar, por ejemplo con batería baja.',
  },
  active_share: {
    name: 'Vehículos activos',
    definition:
      'Vehículos con al menos un viaje en un día, como parte de los vehículos en la vía pública ese día, sumados por días. No cuentan los viajes de operadores sin vehículos ese día.',
  },
  utilization: {
    name: 'Utilización',
    definition: 'Tiempo en viaje como parte del tiempo en la vía pública.',
  },
  idle_share: {
    name: 'Tiempo inactivo',
    definition: 'Tiempo disponible para alquilar como parte del tiempo en la vía pública.',
  },
  non_operational_share: {
    name: 'Tiempo fuera de servicio',
    definition: 'Tiempo fuera de servicio como parte del tiempo en la vía pública.',
  },
  low_battery_time: {
    name: 'Tiempo con batería baja',
    definition: 'Horas de vehículos fuera de servicio por batería baja.',
  },
  wait_between_trips: {
    name: 'Espera entre viajes',
    definition:
      'Tiempo disponible para alquilar dividido por los viajes de operadores con vehículos ese día.',
  },
  distance_total: {
    name: 'Distancia total',
    definition: 'Distancia total de los viajes, sin valores atípicos.',
  },
  distance_mean: {
    name: 'Distancia promedio del viaje',
    definition: 'Distancia promedio de los viajes, sin valores atípicos.',
  },
  distance_median: {
    name: 'Distancia mediana del viaje',
    definition: 'La mitad de los viajes son más cortos que esto. Sin valores atípicos.',
  },
  distance_p90: {
    name: 'El 90 % de los viajes recorre menos de',
    definition: 'Nueve de cada diez viajes no son más largos que esto. Sin valores atípicos.',
  },
  duration_total: {
    name: 'Duración total de los viajes',
    definition: 'Duración total de los viajes, sin valores atípicos.',
  },
  duration_mean: {
    name: 'Duración promedio del viaje',
    definition: 'Duración promedio de los viajes, sin valores atípicos.',
  },
  duration_median: {
    name: 'Duración mediana del viaje',
    definition: 'La mitad de los viajes duran menos que esto. Sin valores atípicos.',
  },
  duration_p90: {
    name: 'El 90 % de los viajes dura menos de',
    definition: 'Nueve de cada diez viajes no duran más que esto. Sin valores atípicos.',
  },
  speed_mean: {
    name: 'Velocidad promedio del viaje',
    definition:
      'Distancia total dividida por duración total de los viajes que tienen ambas, sin valores atípicos.',
  },
  parking_events: { name: 'Estacionamientos', definition: 'Estacionamientos que empiezan en el período.' },
  parked_time: {
    name: 'Tiempo estacionado',
    definition: 'Horas de vehículos estacionados dentro del período.',
  },
  parking_over_limit: {
    name: 'Estacionamientos por encima del límite',
    definition: 'Estacionamientos que empiezan en el período y duran al menos 24 horas, o el límite elegido.',
  },
  parked_mean: {
    name: 'Tiempo promedio estacionado',
    definition:
      'Duración promedio de los estacionamientos que empiezan en el período; los abiertos cuentan hasta ahora.',
  },
  parked_median: {
    name: 'Mediana del tiempo estacionado',
    definition:
      'Mediana de la duración de los estacionamientos que empiezan en el período; los abiertos cuentan hasta ahora.',
  },
  drop_offs: {
    name: 'Despliegues de operadores',
    definition: 'Vehículos colocados en la calle por los operadores o la agencia.',
  },
  rebalancing: {
    name: 'Recogidas de reequilibrio',
    definition: 'Vehículos recogidos por los operadores para moverlos a otro lugar.',
  },
}
