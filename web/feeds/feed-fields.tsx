import { Accordion, NumberInput, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { feedVersions, pushedKinds } from '#contract/feeds.ts'
import { getFeedKindChoice } from '#web/health/feed-kinds.ts'
import { SettingSwitch } from '#web/kit/setting-switch.tsx'
import { type FeedDraft, listKinds, withKind, parseSettings } from './feed-draft.ts'

interface Props {
  draft: FeedDraft
  isNew: boolean
  issues: ReadonlyMap<string, string>
  onChange: (draft: FeedDraft) => void
}

/** Kind, address and interval of a feed. */
export function FeedFields({ draft, isNew, issues, onChange }: Props) {
  const { t } = useTranslation()
  const updateDraft = (changes: Partial<FeedDraft>) => onChange({ ...draft, ...changes })
  const isPushed = pushedKinds.includes(draft.kind)
  const kinds = listKinds(draft.operator)
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          data-autofocus
          label={t('feeds:field.kind')}
          allowDeselect={false}
          disabled={!isNew}
          data={kinds.map((value) => ({ value, label: getFeedKindChoice(t, value) }))}
          value={draft.kind}
          onChange={(value) => onChange(withKind(draft, kinds.find((kind) => kind === value) ?? draft.kind))}
        />
        <Select
          label={t('feeds:field.version')}
          allowDeselect={false}
          error={issues.get('version')}
          data={feedVersions[draft.kind].map((value) => ({
            value,
            label: t(`feeds:version.${value}`, { defaultValue: value }),
          }))}
          value={draft.version}
          onChange={(version) => version && updateDraft({ version })}
        />
      </SimpleGrid>
      <TextInput
        label={t('feeds:field.name')}
        required
        maxLength={120}
        error={issues.get('name')}
        value={draft.name}
        onChange={(event) => updateDraft({ name: event.currentTarget.value })}
      />
      {isPushed ? (
        <Text size="sm" c="dimmed">
          {t('feeds:note.pushed')}
        </Text>
      ) : (
        <TextInput
          type="url"
          label={t('feeds:field.url')}
          description={t(`feeds:note.url.${draft.kind}`)}
          required
          maxLength={2000}
          error={issues.get('url')}
          value={draft.url}
          onChange={(event) => updateDraft({ url: event.currentTarget.value })}
        />
      )}
      <SettingSwitch
        label={t('feeds:field.enabled')}
        description={t(isPushed ? 'feeds:note.enabledPush' : 'feeds:note.enabled')}
        checked={draft.enabled}
        onChange={(event) => updateDraft({ enabled: event.currentTarget.checked })}
      />
      <MoreSettings draft={draft} isPushed={isPushed} issues={issues} onChange={updateDraft} />
    </Stack>
  )
}

interface MoreSettingsProps extends Pick<Props, 'draft' | 'issues'> {
  isPushed: boolean
  onChange: (changes: Partial<FeedDraft>) => void
}

/** Intervals and the settings that few feeds need. */
function MoreSettings({ draft, isPushed, issues, onChange }: MoreSettingsProps) {
  const { t } = useTranslation()
  const renderNumberField = (
    field: 'intervalSeconds' | 'promisedMinutes' | 'backfillHours',
    min: number,
    max: number,
  ) => (
    <NumberInput
      label={t(`feeds:field.${field}`)}
      description={t(`feeds:note.${field}`)}
      required
      hideControls
      allowDecimal={false}
      min={min}
      max={max}
      error={issues.get(field)}
      value={draft[field]}
      onChange={(value) => onChange({ [field]: value })}
    />
  )
  return (
    <Accordion
      variant="contained"
      defaultValue={issues.has('settings') || issues.has('intervalSeconds') ? 'more' : null}
    >
      <Accordion.Item value="more">
        <Accordion.Control>{t('feeds:more')}</Accordion.Control>
        <Accordion.Panel>
          <Stack gap="sm">
            <SimpleGrid cols={{ base: 1, xs: isPushed ? 1 : 3 }}>
              {isPushed ? null : renderNumberField('intervalSeconds', 10, 86_400)}
              {renderNumberField('promisedMinutes', 1, 44_640)}
              {isPushed ? null : renderNumberField('backfillHours', 0, 17_520)}
            </SimpleGrid>
            <Textarea
              label={t('feeds:field.moreSettings')}
              description={t('feeds:note.moreSettings')}
              autosize
              minRows={2}
              maxRows={8}
              maxLength={8000}
              spellCheck={false}
              value={draft.moreSettings}
              error={
                issues.get('settings') ??
                (parseSettings(draft.moreSettings) === null ? t('feeds:noJson') : null)
              }
              onChange={(event) => onChange({ moreSettings: event.currentTarget.value })}
            />
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}
