import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import Papa from 'papaparse'
import { z } from 'zod'
import { AppliedCharge } from '#contract/charges.ts'
import { DecimalText, type FeeLine } from '#contract/fees.ts'
import { appendTo } from '#contract/group-by.ts'
import { currencyDigits } from '#contract/money.ts'
import { LocalDay } from '#contract/period.ts'
import { PolicyFields } from '#contract/policy.ts'
import { ZipArchive } from '#server/table-files/zip-archive.ts'
import { makePartLines } from './charge.ts'
import { curbPolicyType, noPolicyId, makeStayLines } from './curb/stay-lines.ts'
import { makeChargeLines } from './charges/charge-lines.ts'
import { toChargedFacts, hasQuantityOrAmount } from './fee-days/fee-lines.ts'
import type { FeeSum } from './fee-days/fee-revision.ts'
import { formatMinor } from './rational.ts'
import { toTariffPart } from './policy-tariff.ts'
import type { TariffPart } from './tariff.ts'

/** The parts of an exported invoice that are needed to recompute it. */
const ExportedInvoice = z.object({
  number: z.string().nullable(),
  currency: z.string(),
  start_date: LocalDay,
  end_date: LocalDay,
  lines: z.array(
    z.object({
      policy_uuid: z.string().nullable(),
      charge_id: z.string().nullable().default(null),
      policy_type: z.string().nullable().default(null),
      kind: z.string().default('fee'),
      description: z.string(),
      amount: DecimalText,
    }),
  ),
  facts: z.object({ sha256: z.string() }).nullable(),
})
const Policies = z.array(z.object({ policy_uuid: z.string(), fields: PolicyFields }))

const Fact = z.object({
  policy_uuid: z.string(),
  operator: z.string(),
  vehicle_type: z.string(),
  charge: z.string(),
  unit: z.string(),
  unit_price: z.string(),
  numerator: z.string().regex(/^-?\d+$/),
  denominator: z.string().regex(/^\d+$/),
})

async function readEntry(archive: ZipArchive, name: string): Promise<string> {
  const entry = archive.entries.find((candidate) => candidate.name === name)
  if (!entry) throw new Error(`${name}: The archive does not contain it.`)
  const parts: Buffer[] = []
  for await (const part of archive.unpack(entry)) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

/** Reads the charges that are not part of a policy. Exports of earlier versions have none. */
async function readExportedCharges(archive: ZipArchive): Promise<AppliedCharge[]> {
  if (!archive.entries.some(({ name }) => name === 'charges.json')) return []
  return AppliedCharge.array().parse(JSON.parse(await readEntry(archive, 'charges.json')))
}

const emptyPolicyFields = (period: { start_date: LocalDay; end_date: LocalDay }) => ({
  constant_policy_uuid: null,
  policy_name: '',
  policy_type: null,
  ...period,
  days_without_data: [],
})

/** Sums facts by policy and price, and hashes `facts.csv` while reading it. Returns `sums` by policy. */
async function sumFacts(
  archive: ZipArchive,
): Promise<{ sums: Map<string, FeeSum[]>; rows: number; sha256: string }> {
  const entry = archive.entries.find(({ name }) => name === 'facts.csv')
  if (!entry) throw new Error('facts.csv: The archive does not contain it.')
  const hash = createHash('sha256')
  async function* hashWhileReading(): AsyncGenerator<Buffer> {
    for await (const part of archive.unpack(entry!)) {
      hash.update(part)
      yield part
    }
  }
  const sumsByKey = new Map<string, { policy: string; sum: FeeSum }>()
  let rows = 0
  for await (const row of Readable.from(hashWhileReading()).pipe(
    Papa.parse(Papa.NODE_STREAM_INPUT, { header: true }),
  ) as AsyncIterable<unknown>) {
    rows++
    const parsed = Fact.safeParse(row)
    if (!parsed.success)
      throw new Error(`facts.csv, row ${rows}: ${parsed.error.issues[0]?.path.join('.')} cannot be read.`)
    const {
      policy_uuid: policy,
      operator,
      vehicle_type: vehicleType,
      charge,
      unit,
      unit_price: price,
      numerator,
      denominator,
    } = parsed.data
    const key = [policy, vehicleType, charge, unit, price, denominator].join('\t')
    const existing = sumsByKey.get(key)
    if (existing) {
      existing.sum.numerator += BigInt(numerator)
      existing.sum.facts++
    } else
      sumsByKey.set(key, {
        policy,
        sum: {
          operator,
          vehicleType,
          charge,
          unit,
          price,
          numerator: BigInt(numerator),
          denominator: BigInt(denominator),
          facts: 1,
          open: 0,
        },
      })
  }
  const sums = new Map<string, FeeSum[]>()
  for (const { policy, sum } of sumsByKey.values()) appendTo(sums, policy, sum)
  return { sums, rows, sha256: hash.digest('hex') }
}

async function readTariffs(archive: ZipArchive): Promise<{ policy_uuid: string; part: TariffPart }[]> {
  const policies = Policies.parse(JSON.parse(await readEntry(archive, 'policies.json')))
  return policies.flatMap(({ policy_uuid, fields }) => {
    const part = toTariffPart(fields, policy_uuid)
    return part ? [{ policy_uuid, part }] : []
  })
}

/** Returns a line without the period, as it is compared and returned. */
const toShortLine = ({
  policy_uuid,
  charge_id = null,
  description,
  quantity,
  unit,
  unit_price,
  amount,
}: Pick<
  FeeLine,
  'policy_uuid' | 'charge_id' | 'description' | 'quantity' | 'unit' | 'unit_price' | 'amount'
>) => ({
  policy_uuid,
  ...(charge_id === null ? {} : { charge_id }),
  description,
  quantity,
  unit,
  unit_price,
  amount,
})

const makeLineKey = (line: { policy_uuid: string | null; description: string; amount: string }): string =>
  [line.policy_uuid, line.description, line.amount].join('\t')

/**
 * Recomputes an exported invoice from its facts and charges alone. Adjustments of earlier invoices are not
 * recomputed.
 * @throws Error that names the file and row that cannot be read.
 */
export async function recomputeInvoice(file: string): Promise<object> {
  const archive = await ZipArchive.open(file)
  try {
    const invoice = ExportedInvoice.parse(JSON.parse(await readEntry(archive, 'invoice.json')))
    const tariffs = await readTariffs(archive)
    const { sums, rows, sha256 } = await sumFacts(archive)
    const { currency, start_date, end_date } = invoice
    const digits = currencyDigits(currency)
    // Facts already carry their local day, so the time zone no longer matters.
    const context = { timezone: 'UTC', currency, period: { start_date, end_date } }
    const policyLines = tariffs.flatMap(({ policy_uuid, part }) =>
      makePartLines(part, toChargedFacts(part, sums.get(policy_uuid) ?? []), context)
        .filter(hasQuantityOrAmount)
        .map(({ description, quantity, unit, unitPrice, amount }) => ({
          policy_uuid,
          description,
          quantity: quantity.text(),
          unit,
          unit_price: unitPrice?.text() ?? null,
          amount: formatMinor(amount, digits),
        })),
    )
    const stayLines = makeStayLines(
      (sums.get(noPolicyId) ?? []).map(({ charge, facts, numerator }) => ({
        description: charge,
        stays: facts,
        amount: numerator,
      })),
      context,
    )
    // Charges depend on the amounts of policy fees only, so the other fields may be empty.
    const policyFees = policyLines.map((line) => ({ ...line, ...emptyPolicyFields(context.period) }))
    const fees = [...policyFees, ...stayLines]
    const otherLines = makeChargeLines(fees, await readExportedCharges(archive), context)
    const lines = [...fees.map((line) => ({ ...line, charge_id: null })), ...otherLines].map(toShortLine)
    const issuedLines = invoice.lines.filter(
      ({ kind, policy_uuid: id, charge_id: charge, policy_type: type }) =>
        kind === 'fee' &&
        (charge !== null ||
          type === curbPolicyType ||
          tariffs.some(({ policy_uuid: policyId }) => policyId === id)),
    )
    const isEqual =
      lines.map(makeLineKey).toSorted().join('\n') === issuedLines.map(makeLineKey).toSorted().join('\n')
    return {
      number: invoice.number,
      currency,
      facts: rows,
      facts_are_unchanged: invoice.facts?.sha256 === sha256,
      lines,
      total: formatMinor(
        lines.reduce((sum, { amount }) => sum + BigInt(amount.replace('.', '')), 0n),
        digits,
      ),
      is_equal: isEqual,
    }
  } finally {
    await archive.close()
  }
}
