import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changePriceStructure, changeType } from '#contract/policy-types/change-type.ts'
import { offeredFields, findPolicyType } from '#contract/policy-types/list.ts'
import { endDateFrom } from '#contract/policy-types/policy-times.ts'
import type { FaultField, PolicyFaults } from '#contract/policy-types/policy-type.ts'
import { validatePolicy } from '#contract/policy-types/validate-policy.ts'
import { citywide, type ParkingFeeType, type PolicyFields } from '#contract/policy.ts'
import type { FieldProps } from './field-props.ts'

/** A blank error for a missing required field: the field is marked, but has no text. */
const emptyErrorText = '\u00a0'

export interface PolicyDraft extends FieldProps {
  setType: (name: string | null) => void
  setStructure: (structure: ParkingFeeType | null) => void
  /** Only selected shapes count, even while none is selected. */
  picksShapes: boolean
  setPicksShapes: (picks: boolean) => void
  /** Selects or deselects a shape. */
  toggleShape: (id: string) => void
  /** Whether the draft has errors, shown or not. */
  isFaulty: boolean
  /** Shows errors from now on; returns whether there are any. */
  check: () => boolean
  /** Errors that only the server detects, by field. */
  setServerFaults: (issues: ReadonlyMap<string, string>) => void
  replace: (draft: PolicyFields) => void
}

/** Returns a policy in the editor with its errors, which are shown after the first save. */
export function usePolicyDraft(start: PolicyFields, currency: string): PolicyDraft {
  const { t, i18n } = useTranslation()
  const [draft, setDraft] = useState(start)
  const [picksShapes, setPicksShapesState] = useState(start.shape_uuids.length > 0)
  const [hasTriedToSave, setHasTriedToSave] = useState(false)
  const [issues, setIssues] = useState<ReadonlyMap<string, string>>(new Map())
  const offered = offeredFields(draft)
  const faults: PolicyFaults = validatePolicy(draft, { currency })
  const isMissingShapes =
    picksShapes &&
    draft.shape_uuids.length === 0 &&
    offered.has('shape_uuids') &&
    draft.shape_layer_uuid !== null &&
    draft.shape_layer_uuid !== citywide
  const isInvalid = Object.keys(faults).length > 0 || isMissingShapes
  const errorFor: FieldProps['errorFor'] = (field) => {
    if (field === 'shape_uuids' && hasTriedToSave && isMissingShapes) return t('policies:where.pickOne')
    const fault = hasTriedToSave ? faults[field as FaultField] : undefined
    if (fault) return fault === 'required_silently' ? emptyErrorText : t(`policies:fault.${fault}`)
    return issues.get(field) ?? null
  }
  const change = (changes: Partial<PolicyFields>): void => {
    // Errors from the server remain until their field is changed.
    setIssues((known) => new Map([...known].filter(([field]) => !Object.hasOwn(changes, field))))
    setDraft((now) => {
      const next = { ...now, ...changes }
      return { ...next, end_date: endDateFrom(next.start_date, next.end_date) }
    })
  }
  const setType = (name: string | null): void => {
    const next = changeType(draft, name ?? '', { locale: i18n.language })
    const mayBeCitywide = findPolicyType(next.policy_type)?.place === 'shapes_or_citywide'
    setIssues(new Map())
    setDraft(
      next.shape_layer_uuid === citywide && !mayBeCitywide ? { ...next, shape_layer_uuid: null } : next,
    )
  }
  const setPicksShapes = (shouldPick: boolean): void => {
    setPicksShapesState(shouldPick)
    if (!shouldPick) change({ shape_uuids: [] })
  }
  return {
    draft,
    change,
    errorFor,
    currency,
    setType,
    picksShapes,
    setPicksShapes,
    offers: (field) => offered.has(field),
    setStructure: (structure) => {
      setIssues(new Map())
      setDraft((now) => changePriceStructure(now, structure))
    },
    toggleShape: (id) => {
      setPicksShapesState(true)
      setDraft((now) => ({
        ...now,
        shape_uuids: now.shape_uuids.includes(id)
          ? now.shape_uuids.filter((uuid) => uuid !== id)
          : [...now.shape_uuids, id],
      }))
    },
    isFaulty: isInvalid || issues.size > 0,
    check: () => {
      setHasTriedToSave(true)
      return isInvalid
    },
    setServerFaults: (found) => {
      setHasTriedToSave(true)
      setIssues(found)
    },
    replace: (next) => {
      setDraft(next)
      setPicksShapesState(next.shape_uuids.length > 0)
    },
  }
}
