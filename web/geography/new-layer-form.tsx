import { Checkbox, Radio, Stack, Text } from '@mantine/core'
import { useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { createLayer, type BoundaryPreview, type Note } from '#contract/boundary-files.ts'
import { listLayers } from '#contract/geography.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { DialogFoot } from '#web/kit/dialog-foot.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { useRegion } from '#web/shell/region.tsx'
import styles from './geography.module.css'
import { LayerNameFields, layerNameOfFile } from './layer-form.tsx'

interface Props {
  preview: BoundaryPreview
  /** The property that contains the names of shapes; '' for none. */
  property: string
  onProperty: (property: string) => void
  onCancel: () => void
  onCreated: (shapeLayerUuid: string, notes: Note[]) => void
  /** The contents of the file, shown beside the fields. */
  children: ReactNode
}

const noProperty = ''

/** Creates a layer from a boundary file: its name, level, and the names of its shapes. */
export function NewLayerForm({ preview, property, onProperty, onCancel, onCreated, children }: Props) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const [name, setName] = useState(layerNameOfFile(preview.file_name))
  const [level, setLevel] = useState('')
  const [isAccepted, setIsAccepted] = useState(false)
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const confirmation = useRef<HTMLInputElement>(null)
  const create = useEndpointMutation(createLayer, [listLayers])
  const isUndecided = preview.question !== null && !isAccepted
  return (
    <form
      noValidate={isUndecided}
      onSubmit={(event) => {
        event.preventDefault()
        setWasSubmitted(true)
        if (isUndecided) return confirmation.current?.focus()
        const accepted = preview.question === null ? {} : { accept_outside: true }
        const body = {
          layer_name: name,
          upload_uuid: preview.upload_uuid,
          name_property: property || null,
          level: level.trim() || null,
          ...accepted,
        }
        create.mutate(
          { params: { region_id: regionId }, body },
          { onSuccess: ({ layer, notes }) => onCreated(layer.shape_layer_uuid, notes) },
        )
      }}
    >
      <div className={styles['split']}>
        <div>{children}</div>
        <Stack>
          <LayerNameFields name={name} level={level} onName={setName} onLevel={setLevel} />
          <Radio.Group label={t('geography:preview.nameProperty')} value={property} onChange={onProperty}>
            <div className={styles['names']}>
              {preview.properties.map((property) => (
                <Radio
                  key={property.name}
                  value={property.name}
                  label={property.name}
                  description={property.samples.slice(0, 4).join(', ')}
                />
              ))}
              <Radio value={noProperty} label={t('geography:preview.numbered')} />
            </div>
          </Radio.Group>
          <Text size="sm" c="dimmed">
            {t('geography:preview.nothingYet')}
          </Text>
          {preview.question === null ? null : (
            <Checkbox
              ref={confirmation}
              required
              label={t('geography:preview.accept')}
              checked={isAccepted}
              onChange={(event) => setIsAccepted(event.currentTarget.checked)}
              error={wasSubmitted && isUndecided ? t('geography:preview.decide') : null}
            />
          )}
          {create.error ? <FailedState error={create.error} title={t('geography:preview.failed')} /> : null}
        </Stack>
      </div>
      <DialogFoot action={t('geography:preview.create')} isPending={create.isPending} onCancel={onCancel} />
    </form>
  )
}
