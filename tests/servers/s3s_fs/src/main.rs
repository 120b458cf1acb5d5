//! Serves a directory as S3 buckets on a port of 127.0.0.1, for one access key, until it is ended by a signal:
//!     s3s_fs_server PORT ACCESS_KEY SECRET_KEY DIRECTORY
//! Buckets are also served by virtual hosts, BUCKET.localhost:PORT.

use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use s3s::auth::SimpleAuth;
use s3s::host::MultiDomain;
use s3s::service::S3ServiceBuilder;
use std::error::Error;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, port, access_key, secret_key, directory] = arguments.as_slice() else {
        return Err("usage: s3s_fs_server PORT ACCESS_KEY SECRET_KEY DIRECTORY".into());
    };
    let files = s3s_fs::FileSystem::new(directory).map_err(|error| format!("{directory}: {error:?}"))?;
    let mut builder = S3ServiceBuilder::new(files);
    builder.set_auth(SimpleAuth::from_single(access_key.as_str(), secret_key.as_str()));
    builder.set_host(MultiDomain::new([
        format!("localhost:{port}"),
        format!("127.0.0.1:{port}"),
    ])?);
    let service = builder.build();
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port.parse()?)).await?;
    let server = Builder::new(TokioExecutor::new());
    loop {
        let (socket, _) = listener.accept().await?;
        let connection = server
            .serve_connection(TokioIo::new(socket), service.clone())
            .into_owned();
        tokio::spawn(async move {
            let _ = connection.await; // a client that went away
        });
    }
}
