import fs from 'node:fs'
import path from 'node:path'
import { evaluateCase } from '../server/compliance/mds/evaluate-case.ts'

const usage = `Usage: npm run -s evaluate -- FILE [FILE...]
  Each file is a JSON object: id, clock {now in ms, timezone}, policies, geographies, vehicles and events in MDS 2.0 form (events may carry speed in m/s).
  For each one JSON line: {id, total_violations, rules (with the rate of a rule that has one)} or {id, result: "not evaluated"} or {id, error}.`

function readJson(file: string): unknown {
  const text = fs.readFileSync(file, 'utf8')
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new Error(`${file} is not valid JSON: ${(error as Error).message}`, { cause: error })
  }
}

function evaluateFile(file: string): object {
  const { name } = path.parse(file)
  try {
    return evaluateCase(readJson(file), name)
  } catch (error) {
    return { id: name, error: (error as Error).message }
  }
}

const files = process.argv.slice(2)
if (!files.length || files.includes('--help')) {
  console.error(usage)
  process.exitCode = 2
} else for (const file of files) console.log(JSON.stringify(evaluateFile(file)))
