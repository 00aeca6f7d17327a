import fs from 'node:fs'
import path from 'node:path'
import { chargeCase } from '../server/billing/charge-case.ts'
import { recomputeInvoice } from '../server/billing/recompute-invoice.ts'

const usage = `Usage: npm run -s charge -- FILE [FILE...]
  Each file is a JSON object: timezone, currency, period {start_date, end_date}, tariff and facts of one payer (docs/charge-cases.md).
  For each one JSON line: {id, currency, lines, total} or {id, error}.
Usage: npm run -s charge -- --invoice EXPORT.zip [EXPORT.zip...]
  Computes exported invoices again from their facts. For each one JSON line: {number, lines, total, facts_are_unchanged, is_equal} or {file, error}.`

function computeCharges(file: string): object {
  const { name } = path.parse(file)
  try {
    return chargeCase(JSON.parse(fs.readFileSync(file, 'utf8').replace(/^\uFEFF/, '')), name)
  } catch (error) {
    return { id: name, error: (error as Error).message }
  }
}

async function reportInvoice(file: string): Promise<object> {
  try {
    return await recomputeInvoice(file)
  } catch (error) {
    return { file, error: (error as Error).message }
  }
}

const isInvoice = process.argv[2] === '--invoice'
const files = process.argv.slice(isInvoice ? 3 : 2)
if (!files.length || files.includes('--help')) {
  console.error(usage)
  process.exitCode = 2
} else
  for (const file of files)
    console.log(JSON.stringify(isInvoice ? await reportInvoice(file) : computeCharges(file)))
