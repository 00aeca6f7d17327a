import type { InvoiceLine } from './invoices.ts'
import { type VehicleType, vehicleTypeTexts } from './mobility.ts'

/** The part of a line's description that follows the name of its fee. */
export type LineDetail =
  | { kind: 'none' | 'minimum' | 'maximum' | 'vehicle_day_maximum' }
  | { kind: 'vehicle_type'; type: VehicleType }
  | { kind: 'discount'; percent: string }
  | { kind: 'adjustment' | 'settled_estimate'; number: string }
  | { kind: 'other'; text: string }

const typesByText = new Map(
  Object.entries(vehicleTypeTexts).map(([type, text]) => [text as string, type as VehicleType]),
)
const fixedDetails = {
  minimum: 'minimum',
  maximum: 'maximum',
  'maximum per vehicle and day': 'vehicle_day_maximum',
} as const

/** Parses the description of a line, stored in English, so that it can be shown in other languages. */
export function readLineDetail({
  policy_name: fee,
  description,
}: Pick<InvoiceLine, 'policy_name' | 'description'>): LineDetail {
  const adjusted = /^Adjustment of invoice (.+?)(, settles an estimate)?$/.exec(description)
  if (adjusted) return { kind: adjusted[2] ? 'settled_estimate' : 'adjustment', number: adjusted[1] ?? '' }
  if (description === fee) return { kind: 'none' }
  const [, separator, text = description] =
    (description.startsWith(fee) && /^([,:]) (.+)$/.exec(description.slice(fee.length))) || []
  const type = separator === ',' ? typesByText.get(text) : undefined
  if (type) return { kind: 'vehicle_type', type }
  if (separator === ':' && Object.hasOwn(fixedDetails, text))
    return { kind: fixedDetails[text as keyof typeof fixedDetails] }
  const percent = separator === ':' && /^([\d.]+) % less in discounted areas$/.exec(text)?.[1]
  return percent ? { kind: 'discount', percent } : { kind: 'other', text }
}

/** Lines of one fee, such as one per vehicle type, with the sum of their amounts. */
export interface LineGroup<Line> {
  fee: string
  lines: Line[]
  subtotal: string
}

type GroupedLine = Pick<
  InvoiceLine,
  'kind' | 'policy_uuid' | 'charge_id' | 'policy_name' | 'start_date' | 'end_date' | 'amount'
>

/** Groups consecutive lines of one fee and period. Single lines are groups of one. */
export function groupLines<Line extends GroupedLine>(lines: readonly Line[]): LineGroup<Line>[] {
  const groups: { key: string | null; lines: Line[] }[] = []
  for (const line of lines) {
    const fee = line.policy_uuid ?? line.charge_id ?? null
    const key =
      fee === null || line.kind === 'adjustment'
        ? null
        : [line.kind, fee, line.start_date, line.end_date].join(' ')
    const last = groups.at(-1)
    if (key !== null && last?.key === key) last.lines.push(line)
    else groups.push({ key, lines: [line] })
  }
  return groups.map((group) => ({
    fee: group.lines[0]!.policy_name,
    lines: group.lines,
    subtotal: sumDecimals(group.lines.map(({ amount }) => amount)),
  }))
}

/** Returns the exact sum of decimal numbers, with as many decimals as the longest of them. */
export function sumDecimals(texts: readonly string[]): string {
  const countDecimals = (text: string): number => text.split('.')[1]?.length ?? 0
  const digits = Math.max(0, ...texts.map(countDecimals))
  const sum = texts.reduce(
    (total, text) => total + BigInt(text.replace('.', '') + '0'.repeat(digits - countDecimals(text))),
    0n,
  )
  const unsigned = String(sum < 0n ? -sum : sum).padStart(digits + 1, '0')
  const integerDigits = unsigned.slice(0, unsigned.length - digits)
  return `${sum < 0n ? '-' : ''}${integerDigits}${digits ? `.${unsigned.slice(-digits)}` : ''}`
}
