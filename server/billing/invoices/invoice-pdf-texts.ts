import type { Language } from '#contract/identity.ts'
import { readLineDetail } from '#contract/invoice-lines.ts'
import type { InvoiceLine } from '#contract/invoices.ts'
import { formatRates } from '#contract/line-rates.ts'
import { type VehicleType, vehicleTypeTexts } from '#contract/mobility.ts'

export interface InvoicePdfTexts {
  language: Language
  /** For dates. Spanish uses the formats of the United States, as the web app does. */
  locale: string
  invoice: string
  credit_note: string
  draft: string
  number: string
  noNumber: string
  date: string
  period: string
  due: string
  dueAfter: (days: number) => string
  credits: string
  order: string
  currency: string
  from: string
  to: string
  taxId: string
  days: (first: string, last: string) => string
  columns: (currency: string) => [string, string, string, string, string, string]
  subtotal: string
  estimate: (days: number) => string
  original: (number: string, line: number | null) => string
  net: string
  tax: (name: string, rate: string, net: string, isIncluded: boolean) => string
  total: string
  payment: string
  computed: string
  facts: (rows: number) => string
  document: string
  method: (version: number) => string
  page: (page: number, pages: number) => string
  /** Translations of the units of the fee engine. Other units are printed unchanged. */
  units: Readonly<Record<string, string>>
  vehicleTypes: Readonly<Record<VehicleType, string>>
  minimum: string
  maximum: string
  vehicleDayMaximum: string
  discount: (percent: string) => string
  adjustment: (number: string) => string
  settledEstimate: (number: string) => string
}

export const invoicePdfTexts: Readonly<Record<Language, InvoicePdfTexts>> = {
  'en-US': {
    language: 'en-US',
    locale: 'en-US',
    invoice: 'Invoice',
    credit_note: 'Credit note',
    draft: '(draft)',
    number: 'Number',
    noNumber: 'Draft: not an invoice',
    date: 'Date',
    period: 'Service period',
    due: 'Due',
    dueAfter: (days) => `${days} days after the date`,
    credits: 'Credits invoice',
    order: 'Purchase order',
    currency: 'Currency',
    from: 'From',
    to: 'To',
    taxId: 'Tax id',
    days: (first, last) => `${first} to ${last}`,
    columns: (currency) => ['Line', 'Description', 'Quantity', 'Unit', 'Unit price', `Amount (${currency})`],
    subtotal: 'Subtotal',
    estimate: (days) => `Estimate: ${days} ${days === 1 ? 'day' : 'days'} without data.`,
    original: (number, line) => `Original: ${number}${line === null ? '' : `, line ${line}`}.`,
    net: 'Net',
    tax: (name, rate, net, isIncluded) =>
      `${name}, ${rate} % of ${net}${isIncluded ? ' (included in the prices)' : ''}`,
    total: 'Total',
    payment: 'Payment',
    computed: 'How this was computed',
    facts: (rows) => `Facts: ${rows} rows`,
    document: 'Document',
    method: (version) => `Method version ${version}`,
    page: (page, pages) => `Page ${page} of ${pages}`,
    units: {},
    vehicleTypes: vehicleTypeTexts,
    minimum: 'minimum',
    maximum: 'maximum',
    vehicleDayMaximum: 'maximum per vehicle and day',
    discount: (percent) => `${percent} % less in discounted areas`,
    adjustment: (number) => `Adjustment of invoice ${number}`,
    settledEstimate: (number) => `Adjustment of invoice ${number}, settles an estimate`,
  },
  es: {
    language: 'es',
    locale: 'es-US',
    invoice: 'Factura',
    credit_note: 'Nota de crédito',
    draft: '(borrador)',
    number: 'Número',
    noNumber: 'Borrador: no es una factura',
    date: 'Fecha',
    period: 'Período de servicio',
    due: 'Vencimiento',
    dueAfter: (days) => `${days} días después de la fecha`,
    credits: 'Acredita la factura',
    order: 'Orden de compra',
    currency: 'Moneda',
    from: 'De',
    to: 'Para',
    taxId: 'Identificación fiscal',
    days: (first, last) => `del ${first} al ${last}`,
    columns: (currency) => [
      'Línea',
      'Descripción',
      'Cantidad',
      'Unidad',
      'Precio unit.',
      `Monto (${currency})`,
    ],
    subtotal: 'Subtotal',
    estimate: (days) => `Estimación: ${days} ${days === 1 ? 'día' : 'días'} sin datos.`,
    original: (number, line) => `Original: ${number}${line === null ? '' : `, línea ${line}`}.`,
    net: 'Neto',
    tax: (name, rate, net, isIncluded) =>
      `${name}, ${rate} % de ${net}${isIncluded ? ' (incluido en los precios)' : ''}`,
    total: 'Total',
    payment: 'Pago',
    computed: 'Cómo se calculó',
    facts: (rows) => `Registros: ${rows} filas`,
    document: 'Documento',
    method: (version) => `Versión del método: ${version}`,
    page: (page, pages) => `Página ${page} de ${pages}`,
    units: {
      trips: 'viajes',
      'vehicle-days': 'vehículos-día',
      'vehicles, mean of the month': 'vehículos (promedio del mes)',
      'vehicle-years': 'vehículos-año',
      'parking events': 'estacionamientos',
      stays: 'estancias',
      hours: 'horas',
      'started minutes': 'minutos empezados',
      'started hours': 'horas empezadas',
      'started days': 'días empezados',
      'complete minutes': 'minutos completos',
      'complete hours': 'horas completas',
      'complete days': 'días completos',
      adjustment: 'ajuste',
    },
    vehicleTypes: {
      bicycle: 'Bicicleta eléctrica',
      pedal_bicycle: 'Bicicleta de pedal',
      car: 'Automóvil',
      moped: 'Ciclomotor',
      scooter: 'Monopatín',
      scooter_standing: 'Monopatín de pie',
      delivery_robot: 'Robot de reparto',
      scooter_seated: 'Monopatín con asiento',
      other: 'Otro',
    },
    minimum: 'mínimo',
    maximum: 'máximo',
    vehicleDayMaximum: 'máximo por vehículo y día',
    discount: (percent) => `${percent} % menos en áreas con descuento`,
    adjustment: (number) => `Ajuste de la factura ${number}`,
    settledEstimate: (number) => `Ajuste de la factura ${number}, liquida una estimación`,
  },
}

type NamedLine = Pick<InvoiceLine, 'policy_name' | 'description' | 'rates'>

/** Returns the text of a line, with its rates, without the name of its fee; may be empty. */
export const getLineDetail = (line: NamedLine, texts: InvoicePdfTexts): string =>
  [getDescriptionWithoutFee(line, texts), formatRates(line.rates, texts.language)].filter(Boolean).join(', ')

/** Returns the description of a line without the name of its fee; may be empty. */
function getDescriptionWithoutFee(line: NamedLine, texts: InvoicePdfTexts): string {
  const detail = readLineDetail(line)
  switch (detail.kind) {
    case 'none':
      return ''
    case 'minimum':
      return texts.minimum
    case 'maximum':
      return texts.maximum
    case 'vehicle_day_maximum':
      return texts.vehicleDayMaximum
    case 'vehicle_type':
      return texts.vehicleTypes[detail.type]
    case 'discount':
      return texts.discount(detail.percent)
    case 'adjustment':
      return texts.adjustment(detail.number)
    case 'settled_estimate':
      return texts.settledEstimate(detail.number)
    case 'other':
      return detail.text
  }
}

/** Returns the fee and detail of a line. The description alone is used if it contains the name of the fee. */
export function getLineName(line: NamedLine, texts: InvoicePdfTexts): string {
  const { policy_name: fee, description } = line
  const { kind } = readLineDetail(line)
  const describesFee = kind === 'other' && description.includes(fee)
  const separator = kind === 'vehicle_type' ? ',' : ':'
  const nameWithDetail = describesFee
    ? description
    : `${fee}${separator} ${getDescriptionWithoutFee(line, texts)}`
  const name = kind === 'none' ? fee : nameWithDetail
  return [name, formatRates(line.rates, texts.language)].filter(Boolean).join(', ')
}
