import fs from 'node:fs'
import path from 'node:path'
import { chargeCase } from '../server/billing/charge-case.ts'

const usage = `Usage: npm run -s charge -- FILE [FILE...]
  Each file is a JSON object: timezone, currency, period {start_date, end_date}, tariff and facts of one payer (docs/charge-cases.md).
  For each one JSON line: {id, currency, lines, total} or {id, error}.`

function outcomeOf(file: string): object {
  const { name } = path.parse(file)
  try {
    return chargeCase(JSON.parse(fs.readFileSync(file, 'utf8').replace(/^\uFEFF/, '')), name)
  } catch (error) {
    return { id: name, error: (error as Error).message }
  }
}

const files = process.argv.slice(2)
if (!files.length || files.includes('--help')) {
  console.error(usage)
  process.exitCode = 2
} else for (const file of files) console.log(JSON.stringify(outcomeOf(file)))
