// npm run -s publicway -- COMMAND: all tasks besides using Publicway in a browser.
import { parseArgs } from 'node:util'
import { adminCommands } from './cli/admin-commands.ts'
import { backupCommands } from './cli/backup-commands.ts'
import { type Command, exitCodes, type ScriptCommand, UsageError, type Values } from './cli/command.ts'
import { doctor } from './cli/doctor-command.ts'

const commands: readonly Command[] = [doctor, ...adminCommands, ...backupCommands]

const scripts: readonly ScriptCommand[] = [
  { name: 'import', summary: 'Send files to a running server', script: () => import('./import.ts') },
  { name: 'basemap', summary: 'Send a basemap to a running server', script: () => import('./basemap.ts') },
  { name: 'evaluate', summary: 'Evaluate policies on cases in files', script: () => import('./evaluate.ts') },
  {
    name: 'charge',
    summary: 'Compute charges of cases or exported invoices',
    script: () => import('./charge.ts'),
  },
  {
    name: 'demo-operators',
    summary: 'Serve the operators of the demo city without the city',
    script: () => import('./demo-operators.ts'),
  },
]

const invocation = 'npm run -s publicway --'

function formatOverview(): string {
  const allCommands = [...commands, ...scripts]
  const width = Math.max(...allCommands.map(({ name }) => name.length))
  return [
    `Usage: ${invocation} COMMAND [options]`,
    '',
    ...allCommands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    'COMMAND --help shows its options. --json prints one JSON document. Settings come from the environment (docs/settings.md).',
    `Exit codes: ${exitCodes.ok} done, ${exitCodes.failed} failed, ${exitCodes.usage} invalid arguments or settings, ${exitCodes.problems} problems found.`,
  ].join('\n')
}

function formatUsage({ name, summary, arguments: argumentsText, options = {} }: Command): string {
  const optionRows = Object.entries(options).map(([option, { value, description, required }]) => [
    `--${option}${value ? ` ${value}` : ''}`,
    description + (required ? ' (required)' : ''),
  ])
  const rows = [...optionRows, ['--json', 'Print one JSON document']]
  const width = Math.max(...rows.map(([option = '']) => option.length))
  return [
    `Usage: ${invocation} ${name} [options]${argumentsText ? ` ${argumentsText}` : ''}`,
    summary,
    '',
    ...rows.map(([option = '', description]) => `  ${option.padEnd(width)}  ${description}`),
  ].join('\n')
}

/** Finds the command named by the first words, and returns it with the arguments after it. */
function findCommand<Named extends { name: string }>(
  list: readonly Named[],
  words: readonly string[],
): { command: Named; rest: string[] } | null {
  const command = list.find(({ name }) => name.split(' ').every((word, index) => words[index] === word))
  return command ? { command, rest: words.slice(command.name.split(' ').length) } : null
}

function parse(command: Command, rest: string[]): { values: Values; positionals: string[] } {
  const options = {
    ...command.options,
    json: { type: 'boolean' as const },
    help: { type: 'boolean' as const },
  }
  try {
    const parsed = parseArgs({
      args: rest,
      allowPositionals: command.arguments !== undefined,
      options: Object.fromEntries(Object.entries(options).map(([name, { type }]) => [name, { type }])),
    })
    return { values: parsed.values as Values, positionals: parsed.positionals }
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

async function run(command: Command, rest: string[]): Promise<number> {
  if (rest.includes('--help')) {
    console.log(formatUsage(command))
    return exitCodes.ok
  }
  const isJson = rest.includes('--json')
  try {
    const { values, positionals } = parse(command, rest)
    for (const [name, { required }] of Object.entries(command.options ?? {}))
      if (required && !values[name]) throw new UsageError(`--${name} is missing.`)
    const { lines, data, status } = await command.run(values, positionals)
    console.log(isJson ? JSON.stringify(data) : lines.join('\n'))
    return status ? exitCodes[status] : exitCodes.ok
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (isJson) console.log(JSON.stringify({ error: error.message }))
    else console.error(error.message)
    if (error instanceof UsageError && !isJson) console.error(`\n${formatUsage(command)}`)
    return error instanceof UsageError || error.name === 'SettingError' ? exitCodes.usage : exitCodes.failed
  }
}

const words = process.argv.slice(2)
const command = findCommand(commands, words)
const script = findCommand(scripts, words)
if (command) process.exit(await run(command.command, command.rest))
else if (script) {
  process.argv.splice(2, 1)
  await script.command.script()
} else {
  const isHelp = words.length === 0 || words[0] === '--help' || words[0] === 'help'
  if (!isHelp) console.error(`There is no command '${words.join(' ')}'.\n`)
  console[isHelp ? 'log' : 'error'](formatOverview())
  process.exitCode = isHelp ? exitCodes.ok : exitCodes.usage
}
