import { Fragment } from 'react'
import { panelFields, type PanelGiven } from './panel-fields.tsx'

/** The panel of a map: the fields that it lists, in its order. */
export function ModePanel(given: PanelGiven) {
  return given.mode.fields.map((name) => <Fragment key={name}>{panelFields[name](given)}</Fragment>)
}
