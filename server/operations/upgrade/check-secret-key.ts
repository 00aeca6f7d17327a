import { SettingError } from '#server/config.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'

/**
 * Checks that all servers of the state store have the same secret key. Otherwise each could read only its own
 * secrets, and would reject links of the others. @throws SettingError.
 */
export async function checkSecretKey(
  state: Pick<State, 'as'>,
  secretBox: Pick<SecretBox, 'derive'>,
): Promise<void> {
  const store = state.as(systemScope)
  const ownCheck = secretBox.derive('check of the key').slice(0, 16)
  await store
    .insertInto('installation')
    .values({ only_row: true, key_check: ownCheck })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { key_check: storedCheck } = await store
    .selectFrom('installation')
    .select('key_check')
    .executeTakeFirstOrThrow()
  if (storedCheck !== ownCheck)
    throw new SettingError(
      'SECRET_KEY differs from that with which this database was set up. Give all servers the same key, that of the first one (DATA_DIR/secret.key there, if SECRET_KEY was not set).',
    )
}
