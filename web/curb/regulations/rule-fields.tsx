import { ActionIcon, Button, NativeSelect, NumberInput, TagsInput, Textarea } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type CdsRate,
  type CdsRule,
  type CdsTimeUnit,
  cdsTimeUnits,
  curbActivities,
  wellKnownPurposes,
  wellKnownUserClasses,
} from '#contract/cds.ts'
import { toMajor, toMinor } from '#contract/money.ts'
import { Dropdown } from '#web/kit/dropdown.tsx'
import { MoneyInput } from '#web/kit/money-input.tsx'
import { MultiDropdown } from '#web/kit/multi-dropdown.tsx'
import { EditableRows } from '#web/kit/table/editable-rows.tsx'
import { newRule, nextRate, withField } from './regulation-draft.ts'
import styles from './regulations.module.css'
import {
  formatActivity,
  formatUserClass,
  formatPurpose,
  formatCdsRule,
  type TextContext,
} from '../rule-text.ts'

interface CountProps {
  label: string
  value: number | undefined
  onChange: (value: number | undefined) => void
}

/** A field for an optional integer. */
export function CountInput({ label, value, onChange }: CountProps) {
  return (
    <NumberInput
      label={label}
      value={value ?? ''}
      min={0}
      max={1_000_000}
      allowDecimal={false}
      hideControls
      onChange={(next) => onChange(typeof next === 'number' ? next : undefined)}
    />
  )
}

interface UnitSelectProps {
  label: string
  value: CdsTimeUnit
  onChange: (unit: CdsTimeUnit) => void
}

function UnitSelect({ label, value, onChange }: UnitSelectProps) {
  const { t } = useTranslation()
  return (
    <NativeSelect
      label={label}
      value={value}
      data={cdsTimeUnits.map((unit) => ({ value: unit, label: t(`curb:regulations.units.${unit}`) }))}
      onChange={(event) => onChange(cdsTimeUnits.find((unit) => unit === event.currentTarget.value) ?? value)}
    />
  )
}

/** Returns the options of a select: the standard's terms, then further terms in use. */
const getOptions = (
  wellKnown: readonly string[],
  used: readonly string[],
  format: (name: string) => string,
) => [...new Set([...wellKnown, ...used])].map((value) => ({ value, text: format(value) }))

interface RatesProps {
  rates: readonly CdsRate[]
  currency: string
  onChange: (rates: CdsRate[]) => void
}

/** The rates of a rule by part of the stay. */
function RateRows({ rates, currency, onChange }: RatesProps) {
  const { t } = useTranslation()
  const hasDetails = rates.some(
    (rate) => rate.increment_duration ?? rate.increment_amount ?? rate.rate_unit_period,
  )
  const [isDetailed, setIsDetailed] = useState(hasDetails)
  // Rules can be moved, so this form may receive another rule.
  if (hasDetails && !isDetailed) setIsDetailed(true)
  return (
    <div role="group" aria-label={t('curb:regulations.rate.title')} className={styles['rates']}>
      <p className={styles['label']}>{t('curb:regulations.rate.title')}</p>
      {rates.length ? null : <p className={styles['hint']}>{t('curb:regulations.rate.none')}</p>}
      <EditableRows<CdsRate>
        rows={rates}
        createRow={nextRate}
        canRemove
        rowLabel={(row) => t('curb:regulations.rate.row', { row })}
        removeLabel={(row) => t('curb:regulations.rate.remove', { row })}
        addLabel={t('curb:regulations.rate.add')}
        onChange={onChange}
        renderFields={(rate, _change) => {
          const index = rates.indexOf(rate)
          const setRateField = (field: string, value: unknown): void =>
            onChange(rates.with(index, withField(rate, field, value)))
          return (
            <div className={styles['rateFields']}>
              <MoneyInput
                label={t('curb:regulations.rate.amount')}
                currency={currency}
                value={toMajor(rate.rate, currency)}
                onChange={(amount) => setRateField('rate', toMinor(amount ?? 0, currency))}
              />
              <UnitSelect
                label={t('curb:regulations.rate.unit')}
                value={rate.rate_unit}
                onChange={(unit) => setRateField('rate_unit', unit)}
              />
              <CountInput
                label={t('curb:regulations.rate.start')}
                value={rate.start_duration}
                onChange={(value) => setRateField('start_duration', value)}
              />
              <CountInput
                label={t('curb:regulations.rate.end')}
                value={rate.end_duration}
                onChange={(value) => setRateField('end_duration', value)}
              />
              <MoneyInput
                label={t('curb:regulations.rate.maximum')}
                currency={currency}
                value={rate.maximum_fee === undefined ? null : toMajor(rate.maximum_fee, currency)}
                onChange={(amount) =>
                  setRateField('maximum_fee', amount === null ? undefined : toMinor(amount, currency))
                }
              />
              {isDetailed ? (
                <>
                  <CountInput
                    label={t('curb:regulations.rate.increment')}
                    value={rate.increment_duration}
                    onChange={(value) => setRateField('increment_duration', value || undefined)}
                  />
                  <MoneyInput
                    label={t('curb:regulations.rate.rounding')}
                    currency={currency}
                    value={
                      rate.increment_amount === undefined ? null : toMajor(rate.increment_amount, currency)
                    }
                    onChange={(amount) =>
                      setRateField('increment_amount', amount ? toMinor(amount, currency) : undefined)
                    }
                  />
                  <NativeSelect
                    label={t('curb:regulations.rate.period')}
                    value={rate.rate_unit_period ?? 'rolling'}
                    data={(['rolling', 'calendar'] as const).map((value) => ({
                      value,
                      label: t(`curb:regulations.rate.${value}`),
                    }))}
                    onChange={(event) =>
                      setRateField(
                        'rate_unit_period',
                        event.currentTarget.value === 'calendar' ? 'calendar' : undefined,
                      )
                    }
                  />
                </>
              ) : null}
            </div>
          )
        }}
      />
      {rates.length && !isDetailed ? (
        <Button variant="subtle" size="compact-sm" onClick={() => setIsDetailed(true)}>
          {t('curb:regulations.rate.more')}
        </Button>
      ) : null}
    </div>
  )
}

interface RuleFormProps {
  rule: CdsRule
  context: TextContext
  onChange: (rule: CdsRule) => void
}

function RuleForm({ rule, context, onChange }: RuleFormProps) {
  const { t } = useTranslation()
  const { user_classes: classes = [], user_classes_except: except = [], purposes = [] } = rule
  const setRuleField = (field: string, value: unknown): void => onChange(withField(rule, field, value))
  const ownClasses = classes.filter((name) => !wellKnownUserClasses.some((known) => known === name))
  const hasDetails = except.length > 0 || ownClasses.length > 0 || rule.description !== undefined
  const [isDetailed, setIsDetailed] = useState(hasDetails)
  // Rules can be moved, so this form may receive another rule.
  if (hasDetails && !isDetailed) setIsDetailed(true)
  return (
    <>
      <Dropdown
        label={t('curb:regulations.rule.activity')}
        required
        options={curbActivities.map((value) => ({ value, text: formatActivity(t, value) }))}
        value={rule.activity}
        onChange={(activity) => activity && setRuleField('activity', activity)}
      />
      <MultiDropdown
        label={t('curb:regulations.rule.classes')}
        description={t('curb:regulations.rule.classesHint')}
        placeholder={t('curb:regulations.rule.anyone')}
        options={getOptions(wellKnownUserClasses, classes, (name) => formatUserClass(t, name))}
        value={classes}
        onChange={(value) => setRuleField('user_classes', value)}
      />
      <MultiDropdown
        label={t('curb:regulations.rule.purposes')}
        placeholder={t('curb:regulations.rule.anyPurpose')}
        options={getOptions(wellKnownPurposes, purposes, (name) => formatPurpose(t, name))}
        value={purposes}
        onChange={(value) => setRuleField('purposes', value)}
      />
      <div className={styles['pair']}>
        <CountInput
          label={t('curb:regulations.rule.maxStay')}
          value={rule.max_stay}
          onChange={(value) => setRuleField('max_stay', value)}
        />
        <UnitSelect
          label={t('curb:regulations.rule.maxStayUnit')}
          value={rule.max_stay_unit ?? 'minute'}
          onChange={(unit) => setRuleField('max_stay_unit', unit === 'minute' ? undefined : unit)}
        />
        <CountInput
          label={t('curb:regulations.rule.noReturnAfter')}
          value={rule.no_return}
          onChange={(value) => setRuleField('no_return', value)}
        />
        <UnitSelect
          label={t('curb:regulations.rule.noReturnUnit')}
          value={rule.no_return_unit ?? 'minute'}
          onChange={(unit) => setRuleField('no_return_unit', unit === 'minute' ? undefined : unit)}
        />
      </div>
      {isDetailed ? (
        <>
          <MultiDropdown
            label={t('curb:regulations.rule.exceptClasses')}
            options={getOptions(wellKnownUserClasses, except, (name) => formatUserClass(t, name))}
            value={except}
            onChange={(value) => setRuleField('user_classes_except', value)}
          />
          <TagsInput
            label={t('curb:regulations.rule.ownClasses')}
            description={t('curb:regulations.rule.ownClassesHint')}
            value={ownClasses}
            maxTags={50}
            acceptValueOnBlur
            onChange={(cityClasses) =>
              setRuleField('user_classes', [
                ...classes.filter((name) => !ownClasses.includes(name)),
                ...cityClasses,
              ])
            }
          />
          <Textarea
            label={t('curb:regulations.rule.description')}
            autosize
            minRows={1}
            maxRows={5}
            maxLength={5000}
            value={rule.description ?? ''}
            onChange={(event) => setRuleField('description', event.currentTarget.value)}
          />
        </>
      ) : (
        <div>
          <Button variant="subtle" size="compact-sm" onClick={() => setIsDetailed(true)}>
            {t('curb:regulations.rule.more')}
          </Button>
        </div>
      )}
      <RateRows
        rates={rule.rate ?? []}
        currency={context.currency}
        onChange={(rates) => setRuleField('rate', rates)}
      />
    </>
  )
}

interface Props {
  rules: readonly CdsRule[]
  context: TextContext
  /** Returns the findings of a part such as `rules.0`. */
  getFindings: (path: string) => readonly string[]
  onChange: (rules: CdsRule[]) => void
}

/** The rules of a regulation as cards that can be added, moved and removed. */
export function RuleFields({ rules, context, getFindings, onChange }: Props) {
  const { t } = useTranslation()
  const moveRule = (index: number, by: -1 | 1): void => {
    const rule = rules[index]
    const other = rules[index + by]
    if (rule && other) onChange(rules.with(index, other).with(index + by, rule))
  }
  return (
    <>
      {rules.map((rule, index) => {
        const label = t('curb:regulations.rule.row', { row: index + 1 })
        return (
          <section key={index} className={styles['card']} aria-label={label} data-part={`rules.${index}`}>
            <div className={styles['cardHead']}>
              <div>
                <h3>{label}</h3>
                <p className={styles['hint']}>{formatCdsRule(context, rule)}</p>
              </div>
              <div className={styles['cardButtons']}>
                {([-1, 1] as const).map((by) => (
                  <ActionIcon
                    key={by}
                    variant="subtle"
                    color="gray"
                    size="lg"
                    disabled={rules[index + by] === undefined}
                    aria-label={`${t(by < 0 ? 'kit:moveUp' : 'kit:moveDown')}: ${label}`}
                    onClick={() => moveRule(index, by)}
                  >
                    {by < 0 ? <IconArrowUp size={18} /> : <IconArrowDown size={18} />}
                  </ActionIcon>
                ))}
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="lg"
                  disabled={rules.length === 1}
                  aria-label={t('curb:regulations.rule.remove', { row: index + 1 })}
                  onClick={() => onChange(rules.toSpliced(index, 1))}
                >
                  <IconTrash size={18} />
                </ActionIcon>
              </div>
            </div>
            <RuleForm
              rule={rule}
              context={context}
              onChange={(changed) => onChange(rules.with(index, changed))}
            />
            {getFindings(`rules.${index}`).map((text) => (
              <p key={text} className={styles['finding']}>
                {text}
              </p>
            ))}
          </section>
        )
      })}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={16} />}
          onClick={() => onChange([...rules, newRule])}
        >
          {t('curb:regulations.rule.add')}
        </Button>
      </div>
    </>
  )
}
