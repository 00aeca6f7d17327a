import { SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ImportSource } from '#contract/policy-import.ts'
import { DialogFoot } from '#web/kit/dialog-foot.tsx'
import { type DisplayableError, FailedState } from '#web/kit/failed-state.tsx'
import { FileDrop } from '#web/kit/file-drop.tsx'

/** Maximum size of a file in bytes. */
const maxBytes = 15 * 1024 * 1024

interface FilesFault {
  fault: 'needTwo' | 'noJson' | 'tooLarge'
  name: string
}

/** Returns the kind of an MDS response, whether it is wrapped in `data` or not. */
function getKind(body: unknown): 'policies' | 'geographies' | null {
  if (typeof body !== 'object' || body === null) return null
  const inner: object =
    'data' in body && typeof body.data === 'object' && body.data !== null ? body.data : body
  if ('policies' in inner) return 'policies'
  return 'geographies' in inner ? 'geographies' : null
}

/** Reads the two required files, which are distinguished by content. Returns what is wrong with them otherwise. */
export async function readSource(files: readonly File[]): Promise<ImportSource | FilesFault> {
  const source: { policies?: unknown; geographies?: unknown; name: string } = { name: '' }
  for (const file of files) {
    if (file.size > maxBytes) return { fault: 'tooLarge', name: file.name }
    let body: unknown
    try {
      body = JSON.parse(await file.text())
    } catch {
      return { fault: 'noJson', name: file.name }
    }
    const kind = getKind(body)
    if (kind) source[kind] = body
    if (kind === 'policies') source.name = file.name
  }
  return source.policies && source.geographies
    ? { file_name: source.name, policies: source.policies, geographies: source.geographies }
    : { fault: 'needTwo', name: '' }
}

interface Props {
  isPending: boolean
  error: DisplayableError | null
  onSource: (source: ImportSource) => void
  onClose: () => void
}

/** Selects the source of policies: the address of a feed, or two files. */
export function SourceForm({ isPending, error, onSource, onClose }: Props) {
  const { t } = useTranslation()
  const [kind, setKind] = useState('feed')
  const [policiesUrl, setPoliciesUrl] = useState('')
  const [geographiesUrl, setGeographiesUrl] = useState('')
  const [files, setFiles] = useState<File[]>([])
  const [fault, setFault] = useState<FilesFault | null>(null)
  const submitSource = async (): Promise<void> => {
    if (kind === 'feed')
      return onSource({ policies_url: policiesUrl.trim(), geographies_url: geographiesUrl.trim() || null })
    const source = await readSource(files)
    if ('fault' in source) setFault(source)
    else onSource(source)
  }
  // Files may be added one at a time.
  const addFiles = (addedFiles: File[]): void => {
    setFault(null)
    setFiles(
      [...files.filter(({ name }) => addedFiles.every((file) => file.name !== name)), ...addedFiles].slice(
        -2,
      ),
    )
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void submitSource()
      }}
    >
      <Stack gap="sm">
        <Text>{t('policies:import.text')}</Text>
        <SegmentedControl
          aria-label={t('policies:import.from')}
          value={kind}
          data={['feed', 'files'].map((value) => ({ value, label: t(`policies:import.${value}`) }))}
          onChange={(next) => {
            setKind(next)
            setFault(null)
          }}
        />
        {kind === 'feed' ? (
          <>
            <TextInput
              data-autofocus
              type="url"
              required
              label={t('policies:import.policiesUrl')}
              placeholder="https://…/policies"
              value={policiesUrl}
              onChange={({ currentTarget }) => setPoliciesUrl(currentTarget.value)}
            />
            <TextInput
              type="url"
              label={t('policies:import.geographiesUrl')}
              description={t('policies:import.geographiesHint')}
              placeholder="https://…/geographies"
              value={geographiesUrl}
              onChange={({ currentTarget }) => setGeographiesUrl(currentTarget.value)}
            />
          </>
        ) : (
          <>
            <FileDrop
              title={t('policies:import.dropTitle')}
              button={t('policies:import.dropButton')}
              accept=".json,application/json"
              isMultiple
              isDisabled={isPending}
              onFiles={addFiles}
            >
              {t('policies:import.dropText')}
            </FileDrop>
            {files.length ? (
              <Text size="sm">
                {t('policies:import.dropped', { names: files.map(({ name }) => name).join(', ') })}
              </Text>
            ) : null}
          </>
        )}
        {fault ? (
          <FailedState
            title={t('policies:import.failed')}
            error={{ message: t(`policies:import.${fault.fault}`, { name: fault.name }) }}
          />
        ) : null}
        {error && !fault && !isPending ? (
          <FailedState title={t('policies:import.failed')} error={error} />
        ) : null}
      </Stack>
      <DialogFoot action={t('policies:import.look')} isPending={isPending} onCancel={onClose} />
    </form>
  )
}
