import { Button, Text } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useState, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { listLayers } from '#contract/geography.ts'
import { getPolicyByConstant, listPolicies, listPolicyRevisions } from '#contract/policies.ts'
import {
  type FoundPolicy,
  importPolicies,
  type ImportSource,
  previewPolicyImport,
} from '#contract/policy-import.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { Dialog } from '#web/kit/dialog.tsx'
import { ImportChoice } from './import-choice.tsx'
import { SourceForm } from './source-form.tsx'
import styles from '../editor.module.css'

interface Props {
  response: EndpointOutput<typeof importPolicies>
  /** The requested name of the layer. */
  layerName: string
  onClose: () => void
}

function ImportResult({
  response: { imported, updated, skipped, shape_layer_uuid: layerId },
  layerName,
  onClose,
}: Props) {
  const { t } = useTranslation()
  const okButton = useRef<HTMLButtonElement>(null)
  // The dialog was already open, and it moves the focus only when it opens.
  useEffect(() => okButton.current?.focus(), [])
  return (
    <div role="status">
      {/* Also for 0 imported policies, unless others were updated. */}
      {imported || !updated ? <Text fw={600}>{t('policies:import.done', { count: imported })}</Text> : null}
      {updated ? <Text fw={600}>{t('policies:import.updated', { count: updated })}</Text> : null}
      {layerId === null ? null : <Text>{t('policies:import.layer', { name: layerName })}</Text>}
      {skipped ? <Text>{t('policies:import.skipped', { count: skipped })}</Text> : null}
      <div className={styles['dialogFoot']}>
        <Button ref={okButton} onClick={onClose}>
          {t('policies:ok')}
        </Button>
      </div>
    </div>
  )
}

/** Imports policies of another agency: source, selection, result. */
export function ImportPolicies({ regionId }: { regionId: string }) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<IconFileImport size={18} />} onClick={() => setIsOpen(true)}>
        {t('policies:import.open')}
      </Button>
      {isOpen ? <ImportDialog regionId={regionId} onClose={() => setIsOpen(false)} /> : null}
    </>
  )
}

/** Chooses a source, then the policies to import. */
function ImportDialog({ regionId, onClose }: { regionId: string; onClose: () => void }) {
  const { t } = useTranslation()
  const [source, setSource] = useState<ImportSource | null>(null)
  const preview = useEndpointMutation(previewPolicyImport)
  const importing = useEndpointMutation(importPolicies, [
    listPolicies,
    listLayers,
    getPolicyByConstant,
    listPolicyRevisions,
  ])
  const handleSource = (next: ImportSource): void => {
    setSource(next)
    preview.mutate({ body: { region_id: regionId, source: next } })
  }
  const handleImport = (agency: string, selected: FoundPolicy[]): void => {
    const policy_ids = selected.filter(({ here }) => !here).map((policy) => policy.policy_id)
    const updates = selected.flatMap(({ policy_id, here }) =>
      here ? [{ policy_id, if_modified_time: here.modified_time }] : [],
    )
    if (source && preview.data)
      importing.mutate({
        body: {
          region_id: regionId,
          source,
          digest: preview.data.digest,
          agency_name: agency,
          policy_ids,
          updates,
        },
      })
  }
  const handleBack = (): void => {
    preview.reset()
    importing.reset()
  }
  const renderStep = () => {
    if (importing.data) {
      const layerName = importing.variables.body.agency_name
      return <ImportResult response={importing.data} layerName={layerName} onClose={onClose} />
    }
    const { data, error, isPending } = preview
    if (!data)
      return <SourceForm isPending={isPending} error={error} onSource={handleSource} onClose={onClose} />
    return (
      <ImportChoice
        preview={data}
        isPending={importing.isPending}
        error={importing.error}
        onBack={handleBack}
        onImport={handleImport}
      />
    )
  }
  return (
    <Dialog title={t('policies:import.title')} size={720} onClose={onClose}>
      {renderStep()}
    </Dialog>
  )
}
