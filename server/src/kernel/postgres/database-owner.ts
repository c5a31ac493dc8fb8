import type pg from 'pg'
import { makeSuperuserClient } from './server-process.ts'

export const databaseName = 'recado'
/** The app's database role: it owns its own database, and nothing else on the database server. */
export const ownerRole = 'recado'

/**
 * Creates the role that the app uses. The superuser could run programs and read any file, so it only creates an
 * ordinary role, its group roles and its database, and is not used after that.
 */
export async function createOwnerAndDatabase(socket: string): Promise<void> {
  const server = makeSuperuserClient(socket)
  await server.connect()
  try {
    await createOwnerRole(server)
    const { rows } = await server.query<{ owner: string }>(
      'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1',
      [databaseName],
    )
    if (!rows.length) await runUnlessExists(server, `create database ${databaseName} owner ${ownerRole}`)
    else if (rows[0]?.owner !== ownerRole) await transferOwnership(socket)
  } finally {
    await server.end()
  }
}

/** Runs a statement. A concurrent start may have created the same object: the error for this is ignored. */
async function runUnlessExists(server: pg.Client, statement: string): Promise<void> {
  const there = ['42P04', '42710', '23505', 'XX000']
  await server.query(statement).catch((error: pg.DatabaseError) => {
    if (!there.includes(error.code ?? '')) throw error
  })
}

async function createOwnerRole(server: pg.Client): Promise<void> {
  const { rows } = await server.query(
    `select 1 from pg_roles r where rolname = $1 and not rolsuper
      and (select count(*) from pg_auth_members m where m.member = r.oid) = 2`,
    [ownerRole],
  )
  if (rows.length) return
  await runUnlessExists(server, `create role ${ownerRole} login`)
  for (const role of ['recado_app', 'recado_platform']) {
    await runUnlessExists(server, `create role ${role} nologin nobypassrls`)
    await runUnlessExists(server, `grant ${role} to ${ownerRole}`)
  }
}

/** In an older installation all objects belong to the superuser: reassigns them. Extensions stay as they are. */
async function transferOwnership(socket: string): Promise<void> {
  const inside = makeSuperuserClient(socket, databaseName)
  await inside.connect()
  try {
    await inside.query(
      `begin; select pg_advisory_xact_lock(0, 35); ${transferOwnershipSql} alter database ${databaseName} owner to ${ownerRole}; commit`,
    )
  } finally {
    await inside.end()
  }
}

const outsideSystemSchemas = `not in ('pg_catalog', 'information_schema', 'pg_toast')`
/** Whether the object depends on another reassigned object, or on an extension. */
const isDependentObject = (catalogue: string) =>
  `exists (select from pg_depend d where d.classid = '${catalogue}'::regclass and d.objid = o.oid and d.deptype in ('a', 'i', 'e'))`
const transferOwnershipSql = `
  do $$ declare deed text; begin
    for deed in
      select format('alter schema %I owner to ${ownerRole}', nspname) from pg_namespace o
        where nspname not like 'pg_%' and nspname ${outsideSystemSchemas} and nspowner = 'postgres'::regrole
      union all
      select format('alter table %s owner to ${ownerRole}', o.oid::regclass) from pg_class o join pg_namespace n on n.oid = relnamespace
        where nspname ${outsideSystemSchemas} and relowner = 'postgres'::regrole and relkind in ('r', 'p', 'v', 'm', 'S') and not ${isDependentObject('pg_class')}
      union all
      select format('alter routine %s owner to ${ownerRole}', o.oid::regprocedure) from pg_proc o join pg_namespace n on n.oid = pronamespace
        where nspname ${outsideSystemSchemas} and proowner = 'postgres'::regrole and not ${isDependentObject('pg_proc')}
      union all
      select format('alter type %s owner to ${ownerRole}', o.oid::regtype) from pg_type o join pg_namespace n on n.oid = typnamespace
        left join pg_class c on c.oid = typrelid
        where nspname ${outsideSystemSchemas} and typowner = 'postgres'::regrole and not ${isDependentObject('pg_type')}
          and (typtype in ('e', 'd') or c.relkind = 'c')
    loop execute deed; end loop;
  end $$;`
