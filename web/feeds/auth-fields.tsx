import { ActionIcon, Button, PasswordInput, Select, Stack, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { type FeedAuth, feedAuthKinds, feedAuthLimits } from '#contract/feed-auth.ts'
import type { FeedDraft, SecretPair } from './feed-draft.ts'
import styles from './feeds.module.css'

interface Props {
  draft: FeedDraft
  /** The stored credentials; null for a new feed. */
  stored: FeedAuth | null
  errors: ReadonlyMap<string, string>
  onChange: (changes: Partial<FeedDraft>) => void
}

/** The credentials of a feed. Secrets can be entered but are never shown. */
export function AuthFields({ draft, stored, errors, onChange }: Props) {
  const { t } = useTranslation()
  const { authKind, pairs } = draft
  const isStored = stored?.kind === authKind
  const secretNote = t(isStored ? 'feeds:auth.stored' : 'feeds:auth.note')
  const isValueStored = (name: string): boolean =>
    (stored?.kind === 'headers' || stored?.kind === 'query') && isStored && stored.names.includes(name)
  return (
    <Stack gap="sm">
      <Select
        label={t('feeds:auth.label')}
        allowDeselect={false}
        data={feedAuthKinds.map((value) => ({ value, label: t(`feeds:auth.kind.${value}`) }))}
        value={authKind}
        error={errors.get('auth')}
        onChange={(value) => onChange({ authKind: feedAuthKinds.find((kind) => kind === value) ?? 'none' })}
      />
      {authKind === 'bearer' ? (
        <PasswordInput
          {...getSecretInputProps(t)}
          label={t('feeds:auth.token')}
          description={secretNote}
          required={!isStored}
          maxLength={feedAuthLimits.token}
          value={draft.token}
          onChange={(event) => onChange({ token: event.currentTarget.value })}
        />
      ) : null}
      {authKind === 'oauth' ? (
        <OAuthFields draft={draft} isStored={isStored} secretNote={secretNote} onChange={onChange} />
      ) : null}
      {authKind === 'headers' || authKind === 'query' ? (
        <PairFields
          authKind={authKind}
          pairs={pairs}
          isValueStored={isValueStored}
          onChange={(next) => onChange({ pairs: next })}
        />
      ) : null}
    </Stack>
  )
}

/** Returns the props of all fields of secrets. */
const getSecretInputProps = (t: TFunction) =>
  ({
    visibilityToggleButtonProps: { 'aria-label': t('feeds:auth.show'), tabIndex: 0 },
    autoComplete: 'new-password',
  }) as const

interface OAuthFieldsProps extends Pick<Props, 'draft' | 'onChange'> {
  isStored: boolean
  secretNote: string
}

/** The token endpoint and the credentials of OAuth. */
function OAuthFields({ draft, isStored, secretNote, onChange }: OAuthFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <TextInput
        type="url"
        label={t('feeds:auth.tokenUrl')}
        required
        maxLength={feedAuthLimits.tokenUrl}
        value={draft.tokenUrl}
        onChange={(event) => onChange({ tokenUrl: event.currentTarget.value })}
      />
      <TextInput
        label={t('feeds:auth.clientId')}
        required
        maxLength={feedAuthLimits.clientId}
        autoComplete="off"
        value={draft.clientId}
        onChange={(event) => onChange({ clientId: event.currentTarget.value })}
      />
      <PasswordInput
        {...getSecretInputProps(t)}
        label={t('feeds:auth.clientSecret')}
        description={secretNote}
        required={!isStored}
        maxLength={feedAuthLimits.clientSecret}
        value={draft.clientSecret}
        onChange={(event) => onChange({ clientSecret: event.currentTarget.value })}
      />
      <TextInput
        label={t('feeds:auth.scope')}
        maxLength={feedAuthLimits.scope}
        value={draft.scope}
        onChange={(event) => onChange({ scope: event.currentTarget.value })}
      />
    </>
  )
}

interface PairFieldsProps {
  authKind: 'headers' | 'query'
  pairs: readonly SecretPair[]
  /** Whether the value of a name is stored, so that it may stay empty. */
  isValueStored: (name: string) => boolean
  onChange: (pairs: SecretPair[]) => void
}

/** Secret headers or query parameters. */
function PairFields({ authKind, pairs, isValueStored, onChange }: PairFieldsProps) {
  const { t } = useTranslation()
  const setPair = (index: number, changes: Partial<SecretPair>) =>
    onChange(pairs.map((pair, position) => (position === index ? { ...pair, ...changes } : pair)))
  return (
    <div>
      {pairs.map((pair, index) => (
        <div key={index} className={styles['pair']}>
          <TextInput
            label={t(`feeds:auth.pair.${authKind}`, { position: index + 1 })}
            required
            maxLength={feedAuthLimits.name}
            value={pair.name}
            onChange={(event) => setPair(index, { name: event.currentTarget.value })}
          />
          <PasswordInput
            {...getSecretInputProps(t)}
            label={t('feeds:auth.value', { position: index + 1 })}
            placeholder={isValueStored(pair.name) ? t('feeds:auth.keptShort') : ''}
            required={!isValueStored(pair.name)}
            maxLength={authKind === 'headers' ? feedAuthLimits.headerValue : feedAuthLimits.queryValue}
            value={pair.value}
            onChange={(event) => setPair(index, { value: event.currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            color="red"
            size="lg"
            aria-label={t('feeds:auth.removePair', { position: index + 1 })}
            disabled={pairs.length === 1}
            onClick={() => onChange(pairs.filter((_, position) => position !== index))}
          >
            <IconTrash size={18} />
          </ActionIcon>
        </div>
      ))}
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlus size={16} />}
        disabled={pairs.length >= feedAuthLimits.pairs}
        onClick={() => onChange([...pairs, { name: '', value: '' }])}
      >
        {t('feeds:auth.addPair')}
      </Button>
    </div>
  )
}
