import type pg from 'pg'
import { connection } from './process.ts'

export const database = 'recado'
/** Who the house logs in as: the owner of its own database, and of nothing else of the server. */
export const login = 'recado'

/**
 * The server's own user, who could run programs and read any file, makes an ordinary one, its roles and its database,
 * and is not heard of again.
 */
export async function settle(socket: string): Promise<void> {
  const server = connection(socket)
  await server.connect()
  try {
    await makeLogin(server)
    const { rows } = await server.query<{ owner: string }>(
      'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1',
      [database],
    )
    if (!rows.length) await unlessThere(server, `create database ${database} owner ${login}`)
    else if (rows[0]?.owner !== login) await handOver(socket)
  } finally {
    await server.end()
  }
}

/** A process that starts beside us may be quicker: it is there afterwards, or was made at the same moment. */
async function unlessThere(server: pg.Client, statement: string): Promise<void> {
  const there = ['42P04', '42710', '23505', 'XX000']
  await server.query(statement).catch((error: pg.DatabaseError) => {
    if (!there.includes(error.code ?? '')) throw error
  })
}

async function makeLogin(server: pg.Client): Promise<void> {
  const { rows } = await server.query(
    `select 1 from pg_roles r where rolname = $1 and not rolsuper
      and (select count(*) from pg_auth_members m where m.member = r.oid) = 2`,
    [login],
  )
  if (rows.length) return
  await unlessThere(server, `create role ${login} login`)
  for (const role of ['recado_app', 'recado_platform']) {
    await unlessThere(server, `create role ${role} nologin nobypassrls`)
    await unlessThere(server, `grant ${role} to ${login}`)
  }
}

/** A house from before this: all that was made in it belongs to the server's own user. Extensions stay where they are. */
async function handOver(socket: string): Promise<void> {
  const inside = connection(socket, database)
  await inside.connect()
  try {
    await inside.query(
      `begin; select pg_advisory_xact_lock(0, 35); ${ownership} alter database ${database} owner to ${login}; commit`,
    )
  } finally {
    await inside.end()
  }
}

const ours = `not in ('pg_catalog', 'information_schema', 'pg_toast')`
/** Part of something else that is handed over, or of an extension. */
const hangs = (catalogue: string) =>
  `exists (select from pg_depend d where d.classid = '${catalogue}'::regclass and d.objid = o.oid and d.deptype in ('a', 'i', 'e'))`
const ownership = `
  do $$ declare deed text; begin
    for deed in
      select format('alter schema %I owner to ${login}', nspname) from pg_namespace o
        where nspname not like 'pg_%' and nspname ${ours} and nspowner = 'postgres'::regrole
      union all
      select format('alter table %s owner to ${login}', o.oid::regclass) from pg_class o join pg_namespace n on n.oid = relnamespace
        where nspname ${ours} and relowner = 'postgres'::regrole and relkind in ('r', 'p', 'v', 'm', 'S') and not ${hangs('pg_class')}
      union all
      select format('alter routine %s owner to ${login}', o.oid::regprocedure) from pg_proc o join pg_namespace n on n.oid = pronamespace
        where nspname ${ours} and proowner = 'postgres'::regrole and not ${hangs('pg_proc')}
      union all
      select format('alter type %s owner to ${login}', o.oid::regtype) from pg_type o join pg_namespace n on n.oid = typnamespace
        left join pg_class c on c.oid = typrelid
        where nspname ${ours} and typowner = 'postgres'::regrole and not ${hangs('pg_type')}
          and (typtype in ('e', 'd') or c.relkind = 'c')
    loop execute deed; end loop;
  end $$;`
