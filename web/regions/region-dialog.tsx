import { Anchor } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changeRegion, createRegion, getRegion, listRegions, type Region } from '#contract/regions.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { getFieldIssues } from '#web/data/api-error.ts'
import { CopyField } from '#web/kit/copy-field.tsx'
import { publicAddress } from '#web/shell/public-address.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { toRegionBody, toRegionDraft, createRegionDraft } from './region-draft.ts'
import { RegionFeatures } from './region-features.tsx'
import { RegionFields } from './region-fields.tsx'

interface Props {
  /** The region to change; null to create one. */
  region: Region | null
  onClose: () => void
}

/** The URL of the region's public pages. */
function PublicLink({ regionId }: { regionId: string }) {
  const { t } = useTranslation()
  const address = publicAddress(regionId)
  return (
    <div>
      <CopyField
        label={t('regions:public.link')}
        description={t('regions:public.linkNote')}
        value={`${location.origin}${address}`}
      />
      <Anchor href={address} target="_blank" rel="noreferrer" title={t('shell:newTab')} size="sm">
        {t('regions:public.open')}
      </Anchor>
    </div>
  )
}

/** Creates or edits a region. */
export function RegionDialog({ region, onClose }: Props) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(() => (region ? toRegionDraft(region) : createRegionDraft()))
  const create = useEndpointMutation(createRegion, [listRegions])
  const change = useEndpointMutation(changeRegion, [listRegions, getRegion])
  const error = create.error ?? change.error
  const issues = getFieldIssues(error)
  const save = () => {
    const body = toRegionBody(draft)
    if (!body) return
    const { regionId, ...settings } = body
    if (region) change.mutate({ params: { region_id: regionId }, body: settings }, { onSuccess: onClose })
    else create.mutate({ body }, { onSuccess: onClose })
  }
  return (
    <FormDialog
      size={560}
      title={region ? t('regions:edit', { name: region.text }) : t('regions:add')}
      onClose={onClose}
      gap="lg"
      action={t(region ? 'kit:save' : 'regions:create')}
      isPending={create.isPending || change.isPending}
      error={error}
      errorTitle={t('regions:failed')}
      onSubmit={save}
    >
      {region ? <PublicLink regionId={region.regionId} /> : null}
      <RegionFields draft={draft} isNew={region === null} issues={issues} onChange={setDraft} />
      <RegionFeatures draft={draft} issues={issues} onChange={setDraft} />
    </FormDialog>
  )
}
