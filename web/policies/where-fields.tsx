import { Button, Group, Radio, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Layer } from '#contract/geography.ts'
import { findPolicyType } from '#contract/policy-types/list.ts'
import { citywide } from '#contract/policy.ts'
import { Dropdown } from '#web/kit/dropdown.tsx'
import styles from './editor.module.css'
import { policyLayers } from './policy-scope.ts'
import { ShapeList } from './shape-list.tsx'
import type { PolicyDraft } from './use-policy-draft.ts'

interface Props {
  form: PolicyDraft
  layers: readonly Layer[] | null
}

/** The field of where a policy applies: the whole region, or all or some shapes of a layer. */
export function WhereFields({
  form: { draft, change, errorFor, picksShapes, setPicksShapes, toggleShape },
  layers,
}: Props) {
  const { t } = useTranslation()
  const type = findPolicyType(draft.policy_type)
  if (type?.place === 'region') return <Text size="sm">{t('policies:where.entire')}</Text>
  const offered = policyLayers(layers ?? [])
  const options = [
    ...(type?.place === 'shapes_or_citywide'
      ? [{ value: citywide as string, text: t('policies:where.citywide') }]
      : []),
    ...offered.map(({ shape_layer_uuid: value, layer_name: text }) => ({ value, text })),
  ]
  const layer = offered.find(({ shape_layer_uuid: id }) => id === draft.shape_layer_uuid) ?? null
  // The selected shapes belong to the previous layer.
  const setLayer = (id: string | null): void => {
    setPicksShapes(false)
    change({ shape_layer_uuid: id, shape_uuids: [] })
  }
  return (
    <>
      <Dropdown
        label={t('policies:field.shape_layer_uuid')}
        required={type !== null}
        placeholder={t('policies:where.choose')}
        options={options}
        value={draft.shape_layer_uuid}
        error={errorFor('shape_layer_uuid')}
        onChange={setLayer}
      />
      {layers?.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('policies:where.noLayers')}
        </Text>
      ) : null}
      {layer ? (
        <>
          <Radio.Group
            aria-label={t('policies:field.shape_uuids')}
            value={picksShapes ? 'some' : 'all'}
            onChange={(value) => setPicksShapes(value === 'some')}
          >
            <Group gap="md">
              <Radio value="all" label={t('policies:where.allShapes')} />
              <Radio value="some" label={t('policies:where.someShapes')} />
            </Group>
          </Radio.Group>
          {picksShapes ? (
            <>
              <Group justify="space-between" gap="sm">
                <p className={styles['hint']} role="status">
                  {draft.shape_uuids.length
                    ? t('policies:where.picked', { count: draft.shape_uuids.length })
                    : t('policies:where.hint')}
                </p>
                {draft.shape_uuids.length ? (
                  <Button variant="subtle" size="compact-xs" onClick={() => change({ shape_uuids: [] })}>
                    {t('policies:where.clear')}
                  </Button>
                ) : null}
              </Group>
              <ShapeList
                key={layer.shape_layer_uuid}
                layer={layer}
                selected={draft.shape_uuids}
                error={errorFor('shape_uuids')}
                onToggle={toggleShape}
              />
            </>
          ) : null}
        </>
      ) : null}
    </>
  )
}
