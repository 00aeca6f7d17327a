import { randomUUID } from 'node:crypto'
import { systemScope } from '#server/identity/scope.ts'
import type { StagedRecord } from '#server/curb/store/staged.ts'
import type { TestApp } from '../app.ts'

/** Adds an inventory. Returns its id. */
export async function addInventory(app: TestApp, regionId: string, name: string): Promise<string> {
  const inventory_id = randomUUID()
  await app.state
    .as(systemScope)
    .insertInto('curb_inventory')
    .values({ inventory_id, region_id: regionId, name, kind: 'cds', created_time: new Date(0) })
    .execute()
  return inventory_id
}

/** Stages records like those of a file. Returns the id of the import. */
export async function stageImport(
  app: TestApp,
  regionId: string,
  inventoryId: string,
  records: readonly { id: string; staged: StagedRecord }[],
): Promise<string> {
  const import_id = randomUUID()
  const store = app.state.as(systemScope)
  await store
    .insertInto('curb_import')
    .values({
      import_id,
      region_id: regionId,
      inventory_id: inventoryId,
      file_name: 'curbs.json',
      file_hash: import_id,
      status: 'staged',
      created_by: 'planner@example.com',
      created_time: new Date(),
    })
    .execute()
  await store
    .insertInto('curb_import_row')
    .values(
      records.map(({ id, staged }, row) => ({
        import_id,
        region_id: regionId,
        row,
        kind: staged.kind,
        record_id: id,
        outcome: 'accepted',
        findings: '[]',
        source: '{}',
        staged: JSON.stringify(staged),
      })),
    )
    .execute()
  return import_id
}
