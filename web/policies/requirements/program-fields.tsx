import { Anchor, SimpleGrid, Text, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { ManagedOperator } from '#contract/managed-operators.ts'
import { requirableSpecs } from '#contract/required-endpoints.ts'
import { mdsVehicleTypes } from '#contract/requirements.ts'
import { AllOrSome } from '#web/kit/all-or-some.tsx'
import { FormPart } from '#web/kit/form-part.tsx'
import type { ProgramDraft } from './program-draft.ts'
import { SpecFields } from './spec-fields.tsx'

interface Props {
  draft: ProgramDraft
  issues: ReadonlyMap<string, string>
  operators: readonly ManagedOperator[]
  regionName: string
  onChange: (draft: ProgramDraft) => void
}

type TextField =
  | 'description'
  | 'program_website_url'
  | 'program_document_url'
  | 'start_date'
  | 'end_date'
  | 'use_case_list'
  | 'use_case_ids'

/** One program: its operators and what they must provide. */
export function ProgramFields({ draft, issues, operators, regionName, onChange }: Props) {
  const { t } = useTranslation()
  const updateDraft = (changes: Partial<ProgramDraft>) => onChange({ ...draft, ...changes })
  const operatorsWithoutId = operators.filter(({ providerId }) => providerId === null)
  const fieldProps = (name: TextField) => ({
    label: t(`policies:requirements.field.${name}`),
    description: t(`policies:requirements.hint.${name}`),
    error: issues.get(name),
    value: draft[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      updateDraft({ [name]: event.currentTarget.value }),
  })
  return (
    <>
      <FormPart
        title={t('policies:requirements.part.what.title')}
        text={t('policies:requirements.part.what.text')}
      >
        {requirableSpecs.map((spec) => (
          <SpecFields
            key={spec}
            spec={spec}
            required={draft.required}
            onChange={(required) => updateDraft({ required })}
          />
        ))}
      </FormPart>
      <FormPart
        title={t('policies:requirements.part.who.title')}
        text={t('policies:requirements.part.who.text')}
      >
        <AllOrSome
          label={t('policies:requirements.field.operators')}
          all={t('policies:requirements.operators.all')}
          some={t('policies:requirements.operators.some')}
          none={t('policies:requirements.operators.none')}
          startsEmpty
          options={operators
            .filter(({ providerId }) => providerId !== null)
            .map(({ slug, name }) => ({ value: slug, label: name }))}
          value={draft.operators}
          onChange={(selected) => updateDraft({ operators: selected })}
        />
        {operatorsWithoutId.length ? (
          <Text size="sm" c="dimmed">
            {t('policies:requirements.operators.unnamed', {
              names: operatorsWithoutId.map(({ name }) => name).join(', '),
            })}{' '}
            <Anchor component={Link} to="/admin/operators" size="sm" underline="always">
              {t('policies:requirements.operators.open')}
            </Anchor>
          </Text>
        ) : null}
        <AllOrSome
          label={t('policies:requirements.field.vehicle_types')}
          all={t('policies:requirements.vehicles.all')}
          some={t('policies:requirements.vehicles.some')}
          none={t('policies:requirements.vehicles.none')}
          startsEmpty
          options={mdsVehicleTypes.map((value) => ({
            value,
            label: t(`policies:requirements.vehicle.${value}`),
          }))}
          value={draft.vehicle_types}
          onChange={(types) => updateDraft({ vehicle_types: types })}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
          <TextInput type="date" max="9999-12-31" {...fieldProps('start_date')} />
          <TextInput type="date" max="9999-12-31" {...fieldProps('end_date')} />
        </SimpleGrid>
      </FormPart>
      <FormPart
        title={t('policies:requirements.part.about.title')}
        text={t('policies:requirements.part.about.text')}
      >
        <TextInput
          maxLength={255}
          {...fieldProps('description')}
          placeholder={t('policies:requirements.usual', { region: regionName })}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
          <TextInput type="url" maxLength={2000} {...fieldProps('program_website_url')} />
          <TextInput type="url" maxLength={2000} {...fieldProps('program_document_url')} />
          <TextInput type="url" maxLength={2000} {...fieldProps('use_case_list')} />
          <TextInput maxLength={2000} {...fieldProps('use_case_ids')} />
        </SimpleGrid>
      </FormPart>
    </>
  )
}
