import { z } from 'zod'
import { SettingError, readProcessConfig, readConfig, redactSettings } from '../../server/config.ts'
import { openAuth } from '../../server/identity/auth.ts'
import { createAdministrator } from '../../server/identity/create-administrator.ts'
import { openBackground } from '../../server/jobs/background.ts'
import {
  isUpgrade,
  type MigrationPlan,
  checkPlan,
  type StorePlan,
} from '../../server/operations/upgrade/migration-plan.ts'
import { openStores, openUnmigratedStores } from '../../server/operations/upgrade/open-stores.ts'
import { openSecretBox } from '../../server/stores/secret-box.ts'
import { type Command, type Outcome, getString, formatTable } from './command.ts'
import { runOnServerOrLocally } from './with-server.ts'

const now = (): Date => new Date()
const log = (line: string, details?: Record<string, unknown>): void =>
  console.error(JSON.stringify({ line, ...details }))

const configCheck: Command = {
  name: 'config check',
  summary: 'Check all settings, and show them without secrets',
  run(): Promise<Outcome> {
    const settings = redactSettings(process.env)
    const lines = formatTable(Object.entries(settings).map(([name, value]) => [name, value]))
    try {
      readConfig(process.env)
      return Promise.resolve({ lines: [...lines, 'The settings are valid.'], data: { settings, faults: [] } })
    } catch (error) {
      if (!(error instanceof SettingError)) throw error
      const problems = error.message.split('\n')
      return Promise.resolve({
        lines: [...lines, ...problems],
        data: { settings, faults: problems },
        status: 'problems',
      })
    }
  },
}

const CreatedAdministrator = z.object({
  email: z.string(),
  organization: z.string(),
  is_existing: z.boolean(),
  link: z.string(),
  expires: z.string(),
})

const adminCreate: Command = {
  name: 'admin create',
  summary: 'Create an administrator, or let one choose a new password, by a link that works once',
  options: {
    email: { type: 'string', value: 'ADDRESS', required: true, description: 'Email address to sign in with' },
    name: { type: 'string', value: 'NAME', description: 'Name that others see (Administrator)' },
    organization: {
      type: 'string',
      value: 'NAME',
      description: 'Organization; it is created if there is none yet (My city)',
    },
  },
  async run(values) {
    const input = {
      email: getString(values, 'email') ?? '',
      name: getString(values, 'name') ?? 'Administrator',
      organization: getString(values, 'organization'),
    }
    const created = await runOnServerOrLocally(
      'create-administrator',
      input,
      CreatedAdministrator.parse,
      async (config) => {
        const { state, facts } = await openStores(config, log, now)
        try {
          // The link is printed instead of sent.
          const noMessages = { send: () => Promise.resolve() }
          const auth = await openAuth({
            state,
            config,
            secretBox: openSecretBox(config),
            mail: noMessages,
            sms: noMessages,
            background: openBackground(log),
            log,
            now,
          })
          return await createAdministrator({ auth, state, config }, input, now())
        } finally {
          await facts.close()
          await state.close()
        }
      },
    )
    return {
      lines: [
        `${created.email} ${created.is_existing ? 'is a user' : 'was created as administrator'} of ${created.organization}.`,
        `Choose a password, once, before ${created.expires}:`,
        created.link,
      ],
      data: created,
    }
  },
}

const StorePlanSchema: z.ZodType<StorePlan> = z.object({
  done: z.array(z.string()),
  pending: z.array(z.string()),
  unknown: z.array(z.string()),
})
const PlanSchema: z.ZodType<MigrationPlan> = z.object({ state: StorePlanSchema, facts: StorePlanSchema })

const migrate: Command = {
  name: 'migrate',
  summary: 'Apply missing migrations to the stores; the server does so at its start',
  options: { 'dry-run': { type: 'boolean', description: 'Only show what would be applied' } },
  async run(values): Promise<Outcome> {
    const isDryRun = values['dry-run'] === true
    const plan = await runOnServerOrLocally('migration-plan', {}, PlanSchema.parse, async (config) => {
      const stores = await (isDryRun ? openUnmigratedStores(config) : openStores(config, log, now))
      await stores.facts.close()
      await stores.state.close()
      return stores.plan
    })
    let refusal: string | null = null
    try {
      checkPlan(plan)
    } catch (error) {
      refusal = (error as Error).message
    }
    const pending = [
      ...plan.state.pending.map((name) => `state ${name}`),
      ...plan.facts.pending.map((name) => `facts ${name}`),
    ]
    const needsBackup = isUpgrade(plan) && readProcessConfig().backupBeforeUpgrade
    const data = {
      dry_run: isDryRun,
      pending: { state: plan.state.pending, facts: plan.facts.pending },
      backup_first: needsBackup,
      problem: refusal,
    }
    if (refusal !== null) return { lines: [refusal], data, status: 'failed' }
    if (!pending.length) return { lines: ['Both stores are up to date.'], data }
    return {
      lines: [
        ...(isDryRun && needsBackup ? ['A backup is made first.'] : []),
        ...pending.map((name) => `${isDryRun ? 'would apply' : 'applied'} ${name}`),
      ],
      data,
    }
  },
}

export const adminCommands: Command[] = [configCheck, adminCreate, migrate]
