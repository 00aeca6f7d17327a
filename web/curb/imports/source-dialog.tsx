import { NumberInput, Select, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  createCurbInventory,
  type CurbFormatKey,
  curbFormats,
  type CurbInventory,
  listCurbInventories,
} from '#contract/curb-imports.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { formatSourceKind, describeSourceKind } from './source-kinds.ts'

interface Props {
  regionId: string
  onDone: (source: CurbInventory) => void
  onClose: () => void
}

const defaultMinutes = 60

const isFormat = (value: string | null): value is CurbFormatKey =>
  curbFormats.some((format) => format === value)

/** Creates a source of curb data: its name and format, and the address of its feed. */
export function SourceDialog({ regionId, onDone, onClose }: Props) {
  const { t } = useTranslation()
  const [name, setName] = useState('')
  const [kind, setKind] = useState<CurbFormatKey>('cds')
  const [url, setUrl] = useState('')
  const [token, setToken] = useState('')
  const [everyMinutes, setEveryMinutes] = useState(defaultMinutes)
  const [publishes, setPublishes] = useState(false)
  const create = useEndpointMutation(createCurbInventory, [listCurbInventories])
  const isFeed = kind === 'cds' && url.trim() !== ''
  const submit = () =>
    create.mutate(
      {
        params: { region_id: regionId },
        body: {
          name: name.trim(),
          kind,
          feed: isFeed
            ? { url: url.trim(), ...(token === '' ? {} : { token }), every_minutes: everyMinutes, publishes }
            : null,
        },
      },
      { onSuccess: onDone },
    )
  return (
    <FormDialog
      title={t('curb:imports.source.title')}
      action={t('curb:imports.source.create')}
      isPending={create.isPending}
      isDisabled={name.trim() === ''}
      error={create.error}
      errorTitle={t('curb:imports.source.failed')}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label={t('curb:imports.source.name')}
        description={t('curb:imports.source.nameText')}
        value={name}
        maxLength={200}
        required
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Select
        label={t('curb:imports.source.format')}
        description={describeSourceKind(t, kind)}
        data={curbFormats.map((value) => ({ value, label: formatSourceKind(t, value) }))}
        value={kind}
        allowDeselect={false}
        onChange={(value) => {
          if (isFormat(value)) setKind(value)
        }}
      />
      {kind === 'cds' ? (
        <TextInput
          label={t('curb:imports.source.url')}
          description={t('curb:imports.source.urlText')}
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
      ) : null}
      {isFeed ? (
        <>
          <TextInput
            label={t('curb:imports.source.token')}
            type="password"
            autoComplete="off"
            value={token}
            onChange={(event) => setToken(event.currentTarget.value)}
          />
          <NumberInput
            label={t('curb:imports.source.minutes')}
            min={5}
            max={43_200}
            value={everyMinutes}
            onChange={(value) => setEveryMinutes(Number(value) || defaultMinutes)}
          />
          <Switch
            label={t('curb:imports.source.publishes')}
            checked={publishes}
            onChange={(event) => setPublishes(event.currentTarget.checked)}
          />
        </>
      ) : null}
    </FormDialog>
  )
}
